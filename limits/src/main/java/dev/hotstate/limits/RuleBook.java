package dev.hotstate.limits;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules of a source with what follows from each, worked out anew only when they change. */
final class RuleBook {
    private final RuleSource source;
    private final MeterRegistry meters;
    private volatile Edition edition;

    private record Edition(Rules rules, Map<String, Terms> terms) {}

    RuleBook(RuleSource source, MeterRegistry meters) {
        this.source = source;
        this.meters = meters;
        this.edition = new Edition(Rules.of(), Map.of());
    }

    /**
     * The checks of a call with their rules.
     *
     * @throws UnknownRuleException when one names no rule
     * @throws CostTooHighException when a rule could never allow the cost; one in shadow refuses nothing
     */
    List<Target> targets(Call call) {
        Map<String, Terms> terms = current();
        List<Target> targets = new ArrayList<>(call.checks().size());
        for (Check check : call.checks()) {
            Target target = target(terms, call.tag(), check);
            if (!target.couldFit(call.cost()) && !target.rule().shadow()) {
                throw new CostTooHighException(target.rule(), call.cost());
            }
            targets.add(target);
        }
        return targets;
    }

    /** @throws UnknownRuleException when it names no rule */
    Target target(String tag, Check check) {
        return target(current(), tag, check);
    }

    private static Target target(Map<String, Terms> terms, String tag, Check check) {
        Terms named = terms.get(check.rule());
        if (named == null) {
            throw new UnknownRuleException(check.rule());
        }
        return new Target(new CounterId(tag, check.rule(), check.subject()), named);
    }

    private Map<String, Terms> current() {
        Rules now = source.current();
        Edition known = edition;
        if (known.rules() != now) {
            known = revised(now, known);
            edition = known;
        }
        return known.terms();
    }

    /** A rule that stays as it was keeps its terms, and whoever remembers something by them; one that is gone, no meters. */
    private Edition revised(Rules now, Edition before) {
        Map<String, Terms> terms = new HashMap<>();
        now.byId().forEach((id, rule) -> {
            Terms old = before.terms().get(id);
            terms.put(id, old != null && old.rule().equals(rule) ? old : new Terms(rule, meters));
        });
        before.terms().forEach((id, old) -> {
            if (!terms.containsKey(id)) {
                old.outcomes().end();
            }
        });
        return new Edition(now, terms);
    }
}
