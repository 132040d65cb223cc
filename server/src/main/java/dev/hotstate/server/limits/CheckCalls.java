package dev.hotstate.server.limits;

import dev.hotstate.limits.Call;
import dev.hotstate.limits.Check;
import dev.hotstate.limits.CostTooHighException;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.RateLimitHeaders;
import dev.hotstate.limits.UnknownRuleException;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@code /limits/check} and {@code /limits/refund}, and one subject: its state, and its reset. */
final class CheckCalls {
    private final Limiters limiters;
    private final LimitNews news;

    CheckCalls(Limiters limiters, LimitNews news) {
        this.limiters = limiters;
        this.news = news;
    }

    Answer check(Request request) {
        var call = request.body(CallBody.class).checked();
        var decision = asked(call, limiters.rules()::tryAcquire);
        var answer = Answer.json(status(decision), Shown.of(decision));
        for (var header : RateLimitHeaders.of(decision).entrySet()) {
            answer = answer.with(header.getKey(), header.getValue());
        }
        return answer;
    }

    Answer refund(Request request) {
        var call = request.body(CallBody.class).checked();
        return asked(call, given -> {
            limiters.rules().refund(given);
            return Answer.noContent();
        });
    }

    Answer look(Request request) {
        var one = OneSubject.of(request);
        return one.known(
                () -> Answer.ok(Shown.OneCheck.of(limiters.of(one.check).peek(one.tag, one.check), one.tag)));
    }

    Answer reset(Request request) {
        var one = OneSubject.of(request);
        return one.known(() -> {
            limiters.of(one.check).reset(one.tag, one.check);
            news.tellReset(one.tag, one.check);
            return Answer.noContent();
        });
    }

    /** The rules may change between a check of ours and the limiter's own, so its word is the one that counts. */
    private static <T> T asked(Call call, Function<Call, T> limiter) {
        try {
            return limiter.apply(call);
        } catch (UnknownRuleException unknown) {
            throw Problem.invalid(placeOf(unknown.rule(), call.checks()), String.valueOf(unknown.getMessage()));
        } catch (CostTooHighException tooHigh) {
            throw Problem.invalid("cost", String.valueOf(tooHigh.getMessage()).replaceFirst("^cost ", ""));
        }
    }

    private static String placeOf(String rule, List<Check> checks) {
        int index = checks.stream().map(Check::rule).toList().indexOf(rule);
        return "checks[" + index + "].rule";
    }

    private static int status(Decision decision) {
        return switch (decision) {
            case Decision.Allowed allowed -> 200;
            case Decision.Denied denied -> denied.isClosed() ? 503 : 429;
        };
    }

    /** {@code /limits/{rule}/{subject}?tag=}. */
    private record OneSubject(String tag, Check check) {
        static OneSubject of(Request request) {
            var check = new dev.hotstate.server.http.Check();
            var one = check.checked("", () -> new Check(request.path("rule"), request.anyPath("subject")));
            check.refuse();
            var subject = Objects.requireNonNull(one);
            var tag = request.anyQuery("tag").orElse(subject.subject());
            check.checked("", () -> new Call(tag, 1, List.of(subject)));
            check.refuse();
            return new OneSubject(tag, subject);
        }

        Answer known(Supplier<Answer> answer) {
            try {
                return answer.get();
            } catch (UnknownRuleException unknown) {
                throw Problem.notFound("There is no rule \"" + check.rule() + "\".");
            }
        }
    }
}
