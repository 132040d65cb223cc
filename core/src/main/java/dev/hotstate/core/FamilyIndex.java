package dev.hotstate.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the family of a name by its segments, as a tree: a literal is one look-up, and only places where families have
 * variables are compared. So a census of millions of keys does not try every family on each. Families do not overlap, so
 * whichever branch reaches an end first is the only one.
 */
final class FamilyIndex {
    private final Node root = new Node();

    void add(KeyFamily family) {
        Node node = root;
        for (Segment segment : family.segments()) {
            node = node.next(segment);
        }
        node.family = family;
    }

    Optional<KeyFamily> find(String name) {
        return Optional.ofNullable(root.find(name.split(":", -1), 0));
    }

    private static final class Node {
        private final Map<String, Node> literals = new HashMap<>();
        private final List<Branch> variables = new ArrayList<>();
        private @Nullable KeyFamily family;

        Node next(Segment segment) {
            if (!segment.variable()) {
                return literals.computeIfAbsent(segment.toString(), word -> new Node());
            }
            for (Branch branch : variables) {
                if (branch.segment.equals(segment)) {
                    return branch.node;
                }
            }
            Branch branch = new Branch(segment, new Node());
            variables.add(branch);
            return branch.node;
        }

        @Nullable
        KeyFamily find(String[] parts, int at) {
            if (at == parts.length) {
                return family;
            }
            Node literal = literals.get(parts[at]);
            KeyFamily found = literal == null ? null : literal.find(parts, at + 1);
            for (int i = 0; found == null && i < variables.size(); i++) {
                Branch branch = variables.get(i);
                found = branch.segment.admits(parts[at]) ? branch.node.find(parts, at + 1) : null;
            }
            return found;
        }
    }

    private record Branch(Segment segment, Node node) {}
}
