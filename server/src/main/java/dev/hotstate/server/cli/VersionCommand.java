package dev.hotstate.server.cli;

import dev.hotstate.server.Version;
import dev.hotstate.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import redis.embedded.RedisExecProvider;

@Command(name = "version", description = "Print the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var facts = facts();
        var text = json ? Json.pretty(facts) : "hotstate " + facts.get("version") + " on Java " + facts.get("java");
        Output.of(spec).println(text);
        return 0;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"hotstate " + Version.current()};
    }

    private static Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("version", Version.current());
        facts.put("java", Runtime.version().toString());
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        facts.put("embedded_redis", RedisExecProvider.redisVersion);
        return facts;
    }
}
