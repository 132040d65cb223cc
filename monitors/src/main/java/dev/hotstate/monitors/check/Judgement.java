package dev.hotstate.monitors.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.hotstate.monitors.check.Subject.Step;
import dev.hotstate.monitors.check.Value.Bool;
import dev.hotstate.monitors.check.Value.Many;
import dev.hotstate.monitors.check.Value.Null;
import dev.hotstate.monitors.check.Value.Num;
import dev.hotstate.monitors.check.Value.Span;
import dev.hotstate.monitors.check.Value.Text;
import dev.hotstate.monitors.check.Value.Thing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether assertions hold of what was seen. All of them are told that do not; the body is read as JSON at most once. */
final class Judgement {
    private static final JsonMapper JSON = JsonMapper.builder()
            // A number is compared as it was written, and 1e999 is no infinity.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Evidence evidence;
    private final Comparison comparison;
    private @Nullable JsonNode json;

    Judgement(Evidence evidence, Deadline deadline) {
        this.evidence = evidence;
        this.comparison = new Comparison(deadline);
    }

    /** @throws CheckFailedException that tells every assertion that does not hold; asking again helps if it helps them all */
    void of(List<Assertion> assertions) throws CheckFailedException {
        List<CheckFailedException> failed = new ArrayList<>();
        for (Assertion assertion : assertions) {
            try {
                judge(assertion.sentence());
            } catch (CheckFailedException e) {
                failed.add(e);
            }
        }
        if (!failed.isEmpty()) {
            throw together(failed);
        }
    }

    private static CheckFailedException together(List<CheckFailedException> failed) {
        Failure failure = failed.stream()
                .map(CheckFailedException::failure)
                .filter(one -> !one.isRetryable())
                .findFirst()
                .orElse(failed.getFirst().failure());
        List<String> reasons = failed.stream().map(CheckFailedException::reason).toList();
        return new CheckFailedException(failure, String.join("; ", reasons));
    }

    private void judge(Sentence sentence) throws CheckFailedException {
        Value actual = actual(sentence.subject());
        if (comparison.holds(sentence, actual) == sentence.negated()) {
            throw new CheckFailedException(failure(sentence.subject()), told(sentence, actual));
        }
    }

    private Value actual(Subject subject) throws CheckFailedException {
        return switch (subject.kind()) {
            case STATUS -> number(evidence.status);
            case LATENCY -> new Span(evidence.latency);
            case BODY -> new Text(evidence.body);
            case HEADER -> header(subject.path().getFirst().name());
            case JSON -> value(at(subject.path()));
            case DAYS_LEFT -> daysLeft();
            case ANSWERS -> answers();
        };
    }

    private static Value number(@Nullable Integer number) {
        return number == null ? Value.NONE : Num.of(number);
    }

    private Value header(String name) {
        String header = evidence.headers.get(name);
        return header == null ? Value.NONE : new Text(header);
    }

    private Value daysLeft() throws CheckFailedException {
        if (evidence.certificateDaysLeft == null) {
            throw new CheckFailedException(
                    Failure.TARGET, "certificate.days_left: no certificate was shown, the target does not speak TLS");
        }
        return Num.of(evidence.certificateDaysLeft);
    }

    private Value answers() {
        List<String> answers = evidence.answers == null ? List.of() : evidence.answers;
        return new Many(answers.stream().<Value>map(Text::new).toList());
    }

    private JsonNode at(List<Step> path) throws CheckFailedException {
        JsonNode node = root();
        for (Step step : path) {
            node = step.isElement() ? node.path(step.index()) : node.path(step.name());
        }
        return node;
    }

    private JsonNode root() throws CheckFailedException {
        if (json == null) {
            json = parsed();
        }
        return json;
    }

    private JsonNode parsed() throws CheckFailedException {
        if (evidence.bodyIsCut) {
            throw new CheckFailedException(Failure.EXPECTATION, "the body is too large to be read as JSON");
        }
        try {
            JsonNode node = JSON.readTree(evidence.body);
            return node == null ? MissingNode.getInstance() : node;
        } catch (JsonProcessingException e) {
            throw new CheckFailedException(
                    Failure.EXPECTATION, "the body is not JSON: \"" + Quoted.excerpt(evidence.body) + "\"");
        }
    }

    private static Value value(JsonNode node) {
        return switch (node.getNodeType()) {
            case BOOLEAN -> new Bool(node.booleanValue());
            case NUMBER -> new Num(node.decimalValue());
            case STRING -> new Text(node.textValue());
            case ARRAY -> many(node);
            case OBJECT -> new Thing(node.toString());
            default -> Value.NONE;
        };
    }

    private static Value many(JsonNode array) {
        List<Value> values = new ArrayList<>(array.size());
        array.forEach(element -> values.add(value(element)));
        return new Many(values);
    }

    private Failure failure(Subject subject) {
        return switch (subject.kind()) {
            case STATUS -> evidence.status == null ? Failure.GARBLED : Failure.ofStatus(evidence.status);
            case DAYS_LEFT -> Failure.CERTIFICATE_DATE;
            default -> Failure.EXPECTATION;
        };
    }

    private String told(Sentence sentence, Value actual) {
        String cut = sentence.subject().kind() == Subject.Kind.BODY && evidence.bodyIsCut
                ? " in the " + evidence.body.length() + " characters that were read"
                : "";
        return sentence.subject() + " was " + shown(actual) + ", expected "
                + Quoted.excerpt(sentence.expectation(), 120) + cut;
    }

    private static String shown(Value actual) {
        return switch (actual) {
            case Null none -> "missing or null";
            case Text text -> text.text().isEmpty() ? "empty" : "\"" + Quoted.excerpt(text.text()) + "\"";
            default -> Quoted.excerpt(actual.toString());
        };
    }
}
