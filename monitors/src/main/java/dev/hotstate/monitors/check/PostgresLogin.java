package dev.hotstate.monitors.check;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who asks which database, and how safely, from a URL.
 *
 * @param encryption as libpq's sslmode
 */
record PostgresLogin(String user, String password, String database, String encryption) {
    private static final List<String> ENCRYPTIONS =
            List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    /**
     * Only these three parameters: the driver knows others that load classes and write files, and a monitor's author must
     * not do that here.
     *
     * @throws IllegalArgumentException that begins with "target"
     */
    static PostgresLogin of(Target target) {
        int mark = target.path().indexOf('?');
        Map<String, String> query = query(mark < 0 ? "" : target.path().substring(mark + 1));
        int colon = target.userInfo().indexOf(':');
        String inUrl = colon < 0 ? target.userInfo() : target.userInfo().substring(0, colon);
        String user = query.getOrDefault("user", decoded(inUrl));
        String password = query.getOrDefault(
                "password", colon < 0 ? "" : decoded(target.userInfo().substring(colon + 1)));
        String path = decoded(mark < 0 ? target.path() : target.path().substring(0, mark));
        String encryption = query.getOrDefault("sslmode", "prefer");
        if (user.isEmpty()) {
            throw Target.refused("must name a user: postgres://user:password@host/database");
        }
        if (!ENCRYPTIONS.contains(encryption)) {
            throw Target.refused("must have one of these as its sslmode: " + String.join(" ", ENCRYPTIONS));
        }
        return new PostgresLogin(user, password, path.length() <= 1 ? user : path.substring(1), encryption);
    }

    boolean isVerified() {
        return encryption.startsWith("verify");
    }

    private static Map<String, String> query(String query) {
        Map<String, String> parameters = new HashMap<>();
        Arrays.stream(query.split("&")).filter(pair -> !pair.isEmpty()).forEach(pair -> {
            String[] parts = pair.split("=", 2);
            if (!List.of("user", "password", "sslmode").contains(parts[0])) {
                throw Target.refused("must not have the parameter \"" + Quoted.excerpt(parts[0], 40)
                        + "\", only user, password and sslmode");
            }
            parameters.put(parts[0], parts.length == 1 ? "" : decoded(parts[1]));
        });
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user + " to " + database;
    }
}
