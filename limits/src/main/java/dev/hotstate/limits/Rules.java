package dev.hotstate.limits;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All rules at one moment. */
public record Rules(long version, Map<String, Rule> byId) {
    public Rules {
        byId = Map.copyOf(byId);
    }

    /** @throws IllegalArgumentException when two have one id */
    public static Rules of(long version, List<Rule> rules) {
        return new Rules(version, rules.stream().collect(Collectors.toMap(Rule::id, Function.identity(), (one, two) -> {
            throw new IllegalArgumentException("id must be unlike the others, not \"" + one.id() + "\" twice");
        })));
    }

    public static Rules of(Rule... rules) {
        return of(1, List.of(rules));
    }

    public Optional<Rule> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
