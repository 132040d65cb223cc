package dev.hotstate.audit.wire;

import dev.hotstate.core.RedisAddress;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to begin, from an address as the whole product takes it.
 *
 * @param nodes of the deployment; of a Sentinel's, empty
 * @param sentinels who know the master
 * @param master its name there; null without Sentinels
 * @param data the user, password and TLS of the nodes that the Sentinels name, with a host to be replaced
 */
public record RedisSeeds(
        List<Endpoint> nodes,
        List<Endpoint> sentinels,
        @Nullable String master,
        Endpoint data) {

    public static RedisSeeds of(RedisAddress address) {
        RedisURI first = address.uris().getFirst();
        if (first.getSentinelMasterId() == null) {
            List<Endpoint> nodes =
                    address.uris().stream().map(uri -> endpoint(uri, address)).toList();
            return new RedisSeeds(nodes, List.of(), null, nodes.getFirst());
        }
        List<Endpoint> sentinels =
                first.getSentinels().stream().map(uri -> endpoint(uri, address)).toList();
        RedisCredentials credentials = credentials(first);
        Endpoint sentinel = sentinels.getFirst();
        Endpoint data = new Endpoint(
                sentinel.host(),
                sentinel.port(),
                credentials.getUsername(),
                password(credentials),
                first.getDatabase(),
                tls(first, address));
        return new RedisSeeds(List.of(), sentinels, first.getSentinelMasterId(), data);
    }

    private static Endpoint endpoint(RedisURI uri, RedisAddress address) {
        RedisCredentials credentials = credentials(uri);
        return new Endpoint(
                uri.getHost(),
                uri.getPort(),
                credentials.getUsername(),
                password(credentials),
                uri.getDatabase(),
                tls(uri, address));
    }

    private static RedisCredentials credentials(RedisURI uri) {
        RedisCredentials known =
                uri.getCredentialsProvider().resolveCredentials().block();
        return known == null ? RedisCredentials.just(null, (char[]) null) : known;
    }

    private static @Nullable String password(RedisCredentials credentials) {
        char[] password = credentials.getPassword();
        return password == null || password.length == 0 ? null : new String(password);
    }

    private static Endpoint.@Nullable Tls tls(RedisURI uri, RedisAddress address) {
        if (!uri.isSsl()) {
            return null;
        }
        Endpoint.Verify verify = switch (uri.getVerifyMode()) {
            case FULL -> Endpoint.Verify.FULL;
            case CA -> Endpoint.Verify.CA;
            case NONE -> Endpoint.Verify.NONE;
        };
        return new Endpoint.Tls(verify, address.ca().orElse(null));
    }
}
