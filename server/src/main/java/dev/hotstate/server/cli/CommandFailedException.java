package dev.hotstate.server.cli;

import java.util.List;

/** A command cannot run; each problem is one sentence for the user. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> sentences;

    CommandFailedException(String sentence) {
        this(List.of(sentence));
    }

    CommandFailedException(List<String> sentences) {
        super(String.join("\n", sentences));
        this.sentences = List.copyOf(sentences);
    }

    List<String> sentences() {
        return sentences;
    }
}
