package dev.hotstate.core;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where Redis is. One face for {@code redis://} and {@code rediss://} (TLS), {@code redis-cluster://h1:p1,h2:p2} and
 * {@code redis-sentinel://s1:p1,s2:p2#master}, the last two with {@code rediss-…} for TLS too; each with
 * {@code user:password@} in front of its hosts.
 *
 * <p>With TLS the server shows a certificate for its host name, signed by an authority that the JVM trusts.
 * {@code ?ca=/path/ca.pem} trusts the authorities in that file instead; {@code ?verify=ca} accepts a certificate for
 * another host name, {@code ?verify=none} any certificate.
 */
public final class RedisAddress {
    enum Kind {
        STANDALONE,
        SENTINEL,
        CLUSTER
    }

    /** What follows a question mark, up to the name of a Sentinel's master. */
    private static final Pattern QUERY = Pattern.compile("\\?([^#]*)");

    /** A host that ends with its port, before the number of a database, or has none. */
    private static final Pattern PORT = Pattern.compile("(^|[@,])([^:@,]+|\\[[^\\]]+])(:\\d+)?(/\\d*)?$");

    private final Kind kind;
    private final List<RedisURI> uris;
    private final Optional<Path> ca;

    private RedisAddress(Kind kind, List<RedisURI> uris, Tls tls) {
        this.kind = kind;
        this.uris = List.copyOf(uris);
        this.ca = tls.ca();
        uris.forEach(uri -> uri.setVerifyPeer(tls.verify()));
    }

    /** @throws IllegalArgumentException saying what is wrong, without the password */
    public static RedisAddress parse(String url) {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        String rest = end < 0 ? "" : url.substring(end + 3);
        try {
            Matcher query = QUERY.matcher(rest);
            Tls tls = query.find() ? Tls.parse(scheme, query.group(1)) : Tls.DEFAULT;
            String hosts = query.replaceFirst("");
            return switch (scheme) {
                case "redis", "rediss" -> new RedisAddress(Kind.STANDALONE, List.of(uri(scheme, hosts)), tls);
                case "redis-sentinel", "rediss-sentinel" ->
                    new RedisAddress(Kind.SENTINEL, List.of(sentinel(scheme, hosts)), tls);
                case "redis-cluster" -> new RedisAddress(Kind.CLUSTER, cluster("redis", hosts), tls);
                case "rediss-cluster" -> new RedisAddress(Kind.CLUSTER, cluster("rediss", hosts), tls);
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

    /** As Lettuce takes them: one, or one for each node of a Cluster that was named. */
    public List<RedisURI> uris() {
        return uris;
    }

    /** The authorities that sign the server's certificate, in a PEM file, if they are not the JVM's. */
    public Optional<Path> ca() {
        return ca;
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

    private static RedisURI sentinel(String scheme, String rest) {
        if (!rest.contains("#")) {
            throw refused("a Sentinel URL ends with its master's name, as in redis-sentinel://host:26379#mymaster");
        }
        return uri(scheme, rest);
    }

    private static List<RedisURI> cluster(String scheme, String rest) {
        int at = rest.lastIndexOf('@');
        String credentials = rest.substring(0, at + 1);
        List<RedisURI> nodes = new ArrayList<>();
        for (String host : rest.substring(at + 1).split(",", -1)) {
            nodes.add(uri(scheme, credentials + host));
        }
        return nodes;
    }

    private static RedisURI uri(String scheme, String rest) {
        if (rest.isBlank()) {
            throw refused("it names no host");
        }
        RedisURI uri = RedisURI.create(scheme + "://" + rest);
        if (uri.getSentinels().isEmpty()
                && (uri.getHost() == null || !PORT.matcher(rest).find())) {
            throw new IllegalArgumentException("no host, or a port that is no number");
        }
        uri.setClientName("hotstate");
        // CLIENT SETINFO, which these would send, is there from Redis 7.2 on only, so the printed ACL rules cannot
        // allow it.
        uri.setLibraryName("");
        uri.setLibraryVersion("");
        return uri;
    }

    /** How far a server's certificate is believed. */
    private record Tls(SslVerifyMode verify, Optional<Path> ca) {
        static final Tls DEFAULT = new Tls(SslVerifyMode.FULL, Optional.empty());

        static Tls parse(String scheme, String query) {
            if (!scheme.startsWith("rediss")) {
                throw refused("verify and ca are for TLS, so it must begin with rediss");
            }
            Tls tls = DEFAULT;
            for (String part : query.split("&")) {
                tls = switch (part.substring(0, part.indexOf('=') + 1)) {
                    case "verify=" -> new Tls(mode(part.substring(7)), tls.ca);
                    case "ca=" -> new Tls(tls.verify, Optional.of(readable(part.substring(3))));
                    default -> throw refused("after ? it knows verify=full, verify=ca, verify=none and ca=FILE");
                };
            }
            return tls;
        }

        private static SslVerifyMode mode(String word) {
            return switch (word) {
                case "full" -> SslVerifyMode.FULL;
                case "ca" -> SslVerifyMode.CA;
                case "none" -> SslVerifyMode.NONE;
                default -> throw refused("verify is full, ca or none, not \"" + word + "\"");
            };
        }

        private static Path readable(String file) {
            Path path = Path.of(URLDecoder.decode(file, StandardCharsets.UTF_8));
            if (!Files.isReadable(path)) {
                throw refused("its CA file " + path + " cannot be read");
            }
            return path;
        }
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
