package dev.hotstate.audit.names;

import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pattern of a name: a tree by what stands between colons. A literal is one look-up by its hash, which is made
 * while the next colon is looked for; only where patterns have variables are bytes compared, the narrower ones first. So
 * the cost of a name grows with its length and hardly with the number of patterns, and nothing is allocated.
 */
public final class Matcher {
    public static final int NONE = -1;

    private final Node root = new Node();

    /** Each pattern is known by its place in the list. */
    public Matcher(List<Pattern> patterns) {
        for (int i = 0; i < patterns.size(); i++) {
            add(patterns.get(i), i);
        }
        root.settle();
    }

    /** @return the place of its pattern, or {@link #NONE} */
    public int match(byte[] bytes, int from, int to) {
        return root.match(bytes, from, to);
    }

    public int match(byte[] name) {
        return match(name, 0, name.length);
    }

    private void add(Pattern pattern, int family) {
        Node node = root;
        for (Template template : pattern.segments()) {
            if (template.isRest()) {
                node.rests.add(new Branch(template, node, family));
                return;
            }
            node = template.isLiteral() ? node.literal(template.word()) : node.branch(template);
        }
        // Of two that are the same, the first of the schema is meant.
        node.family = node.family == NONE ? family : node.family;
    }

    /** @param family where the branch is an end of its own, as that which takes the rest */
    private record Branch(Template template, Node node, int family) {
        int weight() {
            return template.weight();
        }
    }

    private static final class Node {
        private final List<byte[]> words = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();
        private final List<Branch> branches = new ArrayList<>();
        private final List<Branch> rests = new ArrayList<>();
        private int[] table = {};
        private int[] hashes = {};
        private int family = NONE;

        Node literal(byte[] word) {
            for (int i = 0; i < words.size(); i++) {
                if (Arrays.equals(words.get(i), word)) {
                    return nodes.get(i);
                }
            }
            words.add(word);
            Node node = new Node();
            nodes.add(node);
            return node;
        }

        Node branch(Template template) {
            for (Branch branch : branches) {
                if (branch.template.equals(template)) {
                    return branch.node;
                }
            }
            Branch branch = new Branch(template, new Node(), NONE);
            branches.add(branch);
            return branch.node;
        }

        /** Puts literals into a table of at least twice their number, and branches into the order they are asked in. */
        void settle() {
            int size = Integer.highestOneBit(Math.max(1, words.size() * 2 - 1)) << 1;
            table = new int[size];
            hashes = new int[words.size()];
            for (int i = 0; i < words.size(); i++) {
                byte[] word = words.get(i);
                int hash = 0;
                for (byte c : word) {
                    hash = hash * 31 + c;
                }
                hashes[i] = hash;
                int slot = slot(hash);
                while (table[slot] != 0) {
                    slot = (slot + 1) & (size - 1);
                }
                table[slot] = i + 1;
                nodes.get(i).settle();
            }
            branches.sort(Comparator.comparingInt(Branch::weight).reversed());
            rests.sort(Comparator.comparingInt(Branch::weight).reversed());
            branches.forEach(branch -> branch.node.settle());
        }

        int match(byte[] bytes, int from, int to) {
            int end = from;
            int hash = 0;
            while (end < to && bytes[end] != ':') {
                hash = hash * 31 + bytes[end++];
            }
            Node literal = find(bytes, from, end, hash);
            int found = literal == null ? NONE : literal.after(bytes, end, to);
            for (int i = 0; found == NONE && i < branches.size(); i++) {
                Branch branch = branches.get(i);
                found = branch.template.admits(bytes, from, end) ? branch.node.after(bytes, end, to) : NONE;
            }
            for (int i = 0; found == NONE && i < rests.size(); i++) {
                found = rests.get(i).template.admits(bytes, from, to) ? rests.get(i).family : NONE;
            }
            return found;
        }

        private int after(byte[] bytes, int end, int to) {
            return end == to ? family : match(bytes, end + 1, to);
        }

        private @Nullable Node find(byte[] bytes, int from, int end, int hash) {
            for (int slot = slot(hash); table[slot] != 0; slot = (slot + 1) & (table.length - 1)) {
                int i = table[slot] - 1;
                byte[] word = words.get(i);
                if (hashes[i] == hash && Arrays.equals(word, 0, word.length, bytes, from, end)) {
                    return nodes.get(i);
                }
            }
            return null;
        }

        private int slot(int hash) {
            return (hash ^ hash >>> 15) & (table.length - 1);
        }
    }
}
