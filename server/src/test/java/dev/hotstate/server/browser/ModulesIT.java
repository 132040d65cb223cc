package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every module that the dashboard can ever import is served, as JavaScript: a page opened later must not miss one. */
@ExtendWith(Testkit.class)
class ModulesIT {
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
    private static final Pattern IMPORT =
            Pattern.compile("(?:\\bfrom\\s*|\\bimport\\s*|\\bimport\\(\\s*)[\"']([^\"'\\s]+)[\"']");

    @Test
    void everyImportLeadsToAModule(RedisServer redis, PostgresDatabase database) throws Exception {
        try (var server = RunningServer.on(redis.uri(), database)) {
            var map = importMap(server);
            var seen = new TreeSet<String>();
            var open = new ArrayDeque<String>();
            open.add("/ui/main.js");
            map.values().stream().filter(path -> !path.endsWith("/")).forEach(open::add);
            while (!open.isEmpty()) {
                var path = open.pop();
                if (seen.add(path)) {
                    var module = server.get(path);
                    assertThat(module.statusCode()).as(path).isEqualTo(200);
                    assertThat(module.headers().firstValue("Content-Type").orElse(""))
                            .as(path)
                            .startsWith("text/javascript");
                    IMPORT.matcher(withoutComments(module.body()))
                            .results()
                            .map(found -> resolved(found.group(1), path, map))
                            .forEach(open::push);
                }
            }
            assertThat(seen).contains("/ui/pages/overview.js", "/ui/pages/redis.js", "/ui/lib/lit/index.js");
        }
    }

    private static Map<String, String> importMap(RunningServer server) throws Exception {
        var page = IMPORT_MAP.matcher(server.get("/ui").body());
        assertThat(page.find()).isTrue();
        var map = new TreeMap<String, String>();
        new JsonMapper()
                .readTree(page.group(1))
                .get("imports")
                .properties()
                .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
        return map;
    }

    /** As a browser does it: a path as it is, a name by the map, the longest prefix first. */
    private static String resolved(String name, String from, Map<String, String> map) {
        if (name.startsWith(".") || name.startsWith("/")) {
            return URI.create(from).resolve(name).getPath();
        }
        if (map.containsKey(name)) {
            return map.get(name);
        }
        return map.keySet().stream()
                .filter(prefix -> prefix.endsWith("/") && name.startsWith(prefix))
                .max((a, b) -> a.length() - b.length())
                .map(prefix -> map.get(prefix) + name.substring(prefix.length()))
                .orElseThrow(() -> new AssertionError(from + " imports \"" + name + "\", which the map does not know"));
    }

    private static String withoutComments(String script) {
        return script.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)^\\s*//.*$", "");
    }
}
