package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.schema.Naming;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a name follows a naming convention: it has at least the parts that the convention requires, none of them empty,
 * with a known environment where some are known. A hash tag may be a part of its own, or around parts.
 */
public final class Convention {
    private final byte separator;
    private final int required;
    private final int most;
    private final int environmentAt;
    private final List<byte[]> environments;

    /** @throws IllegalArgumentException if the convention has no parts in braces */
    public Convention(Naming naming) {
        String convention = naming.convention();
        String obliged = convention.replaceAll("\\[[^\\]]*]", "");
        String[] parts = obliged.split("(?<=})", -1);
        this.required = (int) obliged.chars().filter(c -> c == '{').count();
        if (required == 0) {
            throw new IllegalArgumentException(
                    "naming: the convention needs parts in braces, such as {env}:{app}:{entity}:{id}, not "
                            + convention);
        }
        int close = obliged.indexOf('}');
        this.separator = close + 1 < obliged.length() ? (byte) obliged.charAt(close + 1) : (byte) ':';
        // What is optional may itself have parts: prod:api:cache:user:usr_789:v1.
        this.most = convention.contains("[") ? Integer.MAX_VALUE : required;
        this.environmentAt = environmentAt(parts);
        this.environments =
                naming.environments().stream().map(word -> word.getBytes(UTF_8)).toList();
    }

    public boolean admits(byte[] bytes, int from, int to) {
        int parts = 0;
        int tags = 0;
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == separator) {
                if (i == start) {
                    return false;
                }
                boolean tag = bytes[start] == '{' && bytes[i - 1] == '}';
                if (!tag && parts - tags == environmentAt && !isEnvironment(bytes, start, i)) {
                    return false;
                }
                tags += tag ? 1 : 0;
                parts++;
                start = i + 1;
            }
        }
        // A tag may be one of the parts, {u1} in prod:api:{u1}:profile, or stand beside all of them.
        return parts >= required && parts - tags <= most;
    }

    private boolean isEnvironment(byte[] bytes, int from, int to) {
        return environments.isEmpty()
                || environments.stream().anyMatch(word -> Arrays.equals(word, 0, word.length, bytes, from, to));
    }

    private static int environmentAt(String[] parts) {
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].endsWith("{env}")) {
                return i;
            }
        }
        return -1;
    }
}
