package dev.hotstate.store;

/** What drivers and tools say in paragraphs and prefixes, in one sentence. */
final class Sentences {
    private Sentences() {}

    /** The first line of the deepest cause's message. */
    static String ofRoot(Throwable failure) {
        return failure.getCause() == null ? of(failure) : ofRoot(failure.getCause());
    }

    /** The first line of the message, with one full stop and without PostgreSQL's "FATAL:". */
    static String of(Throwable failure) {
        String text = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        String line = text.lines().findFirst().orElse(text);
        String sentence = line.replaceFirst("^(FATAL|ERROR): ", "").strip();
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
