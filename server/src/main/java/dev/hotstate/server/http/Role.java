package dev.hotstate.server.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What a token allows. Admin includes operator, operator includes viewer; agent stands beside them. */
public enum Role {
    @JsonProperty("admin")
    ADMIN,
    @JsonProperty("operator")
    OPERATOR,
    @JsonProperty("viewer")
    VIEWER,
    @JsonProperty("agent")
    AGENT;

    /** The role as the API spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that spelling. */
    public static Role of(String text) {
        for (var role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        throw new IllegalArgumentException("role must be one of admin, operator, viewer, agent, not \"" + text + "\"");
    }
}
