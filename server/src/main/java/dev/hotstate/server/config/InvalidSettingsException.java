package dev.hotstate.server.config;

import java.util.List;

/** The configuration cannot be used; each problem is one sentence that a user can act on, and shows no secret. */
public final class InvalidSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    InvalidSettingsException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
