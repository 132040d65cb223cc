package dev.hotstate.core;

import io.lettuce.core.RedisURI;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where Redis is. One face for {@code redis://} and {@code rediss://} (TLS), {@code redis-cluster://h1:p1,h2:p2} and
 * {@code redis-sentinel://s1:p1,s2:p2#master}, the last two with {@code rediss-…} for TLS too; each with
 * {@code user:password@} in front of its hosts.
 */
public final class RedisAddress {
    enum Kind {
        STANDALONE,
        SENTINEL,
        CLUSTER
    }

    private final Kind kind;
    private final List<RedisURI> uris;

    private RedisAddress(Kind kind, List<RedisURI> uris) {
        this.kind = kind;
        this.uris = List.copyOf(uris);
    }

    /** @throws IllegalArgumentException saying what is wrong, without the password */
    public static RedisAddress parse(String url) {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        String rest = end < 0 ? "" : url.substring(end + 3);
        try {
            return switch (scheme) {
                case "redis", "rediss" -> new RedisAddress(Kind.STANDALONE, List.of(uri(scheme, rest)));
                case "redis-sentinel", "rediss-sentinel" -> sentinel(scheme, rest);
                case "redis-cluster" -> cluster("redis", rest);
                case "rediss-cluster" -> cluster("rediss", rest);
                default ->
                    throw refused("it must begin with redis://, rediss://, redis-cluster:// or redis-sentinel://");
            };
        } catch (IllegalArgumentException invalid) {
            throw invalid.getMessage() != null && invalid.getMessage().startsWith("Redis URL")
                    ? invalid
                    : refused("it cannot be read as " + scheme + "://[user:password@]host:port");
        }
    }

    Kind kind() {
        return kind;
    }

    List<RedisURI> uris() {
        return uris;
    }

    public boolean isTls() {
        return uris.getFirst().isSsl();
    }

    /** Whether passwords and data would cross a network unencrypted. */
    public boolean isPlaintextBeyondLoopback() {
        return !isTls() && hosts().stream().anyMatch(uri -> !isLoopback(uri.getHost()));
    }

    /** The hosts and ports, without user and password. */
    @Override
    public String toString() {
        return hosts().stream().map(uri -> uri.getHost() + ":" + uri.getPort()).collect(Collectors.joining(","));
    }

    private List<RedisURI> hosts() {
        return kind == Kind.SENTINEL ? uris.getFirst().getSentinels() : uris;
    }

    private static RedisAddress sentinel(String scheme, String rest) {
        if (!rest.contains("#")) {
            throw refused("a Sentinel URL ends with its master's name, as in redis-sentinel://host:26379#mymaster");
        }
        RedisURI sentinels = uri(scheme, rest);
        // An ACL user in the URL is the data nodes'; Sentinels are often asked with the same.
        return new RedisAddress(Kind.SENTINEL, List.of(sentinels));
    }

    private static RedisAddress cluster(String scheme, String rest) {
        int at = rest.lastIndexOf('@');
        String credentials = rest.substring(0, at + 1);
        List<RedisURI> nodes = new ArrayList<>();
        for (String host : rest.substring(at + 1).split(",", -1)) {
            nodes.add(uri(scheme, credentials + host));
        }
        return new RedisAddress(Kind.CLUSTER, nodes);
    }

    private static RedisURI uri(String scheme, String rest) {
        if (rest.isBlank()) {
            throw refused("it names no host");
        }
        RedisURI uri = RedisURI.create(scheme + "://" + rest);
        uri.setClientName("hotstate");
        return uri;
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    private static IllegalArgumentException refused(String reason) {
        return new IllegalArgumentException("Redis URL is refused: " + reason);
    }
}
