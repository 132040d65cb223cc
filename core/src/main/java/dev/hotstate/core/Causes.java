package dev.hotstate.core;

import java.util.List;
import java.util.Optional;

/** The reason of a failure, in one line. */
final class Causes {

    /** What a library says somewhere in a chain of causes, and what it means to the person who wrote the URL. */
    private record Sign(String said, String means) {}

    private static final List<Sign> SIGNS = List.of(
            new Sign("WRONGPASS", "the user or the password is wrong"),
            new Sign("NOAUTH", "it asks for a password, and the URL has none for it"),
            new Sign("Connection refused", "nothing listens there"),
            new Sign("Failed to resolve", "there is no host of that name"),
            new Sign("cluster support disabled", "it is not a Redis Cluster; its URL begins with redis://"),
            new Sign("PKIX path", "its TLS certificate is not signed by anyone we trust; name its CA with ?ca=FILE"),
            new Sign("No subject alternative", "its TLS certificate is for another host"),
            new Sign("No name matching", "its TLS certificate is for another host"),
            new Sign("Invalid first byte", "what listens there is not a Redis"),
            new Sign("not an SSL/TLS record", "it does not speak TLS"),
            new Sign("timed out", "it does not answer; perhaps it is no Redis, or only one side speaks TLS"));

    private Causes() {}

    /** The deepest reason. */
    static String sentence(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null && deepest.getCause() != deepest) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return message == null || message.isBlank()
                ? deepest.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** Why a Redis cannot be used, for the person who configured its address. */
    static String ofConnecting(Throwable failure) {
        return meaning(failure).orElseGet(() -> sentence(failure));
    }

    /** Whether it is known what the failure means. */
    static boolean areClear(Throwable failure) {
        return meaning(failure).isPresent();
    }

    private static Optional<String> meaning(Throwable failure) {
        StringBuilder said = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            said.append(cause.getMessage()).append('\n');
        }
        return SIGNS.stream()
                .filter(sign -> said.indexOf(sign.said()) >= 0)
                .map(Sign::means)
                .findFirst();
    }
}
