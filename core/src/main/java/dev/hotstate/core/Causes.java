package dev.hotstate.core;

/** The deepest reason of a failure, in one line. */
final class Causes {
    private Causes() {}

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
}
