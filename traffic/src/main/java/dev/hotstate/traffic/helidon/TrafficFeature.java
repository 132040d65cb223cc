package dev.hotstate.traffic.helidon;

import dev.hotstate.traffic.Loopback;
import dev.hotstate.traffic.Observed;
import dev.hotstate.traffic.Recorder;
import io.helidon.common.Weight;
import io.helidon.common.Weighted;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpFeature;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.net.InetSocketAddress;

/**
 * Records every request of an application under the pattern of the route that answered it; add it before other features.
 * Requests from this machine itself are not counted, they are mostly probes; {@link #countingLoopback} counts them.
 */
@Weight(Weighted.DEFAULT_WEIGHT + 1000)
public final class TrafficFeature implements HttpFeature {
    private final Recorder recorder;
    private final boolean loopback;

    public TrafficFeature(Recorder recorder) {
        this(recorder, false);
    }

    private TrafficFeature(Recorder recorder, boolean loopback) {
        this.recorder = recorder;
        this.loopback = loopback;
    }

    /** Counts requests from this machine too. */
    public TrafficFeature countingLoopback() {
        return new TrafficFeature(recorder, true);
    }

    @Override
    public void setup(HttpRouting.Builder routing) {
        routing.addFilter(this::filter);
    }

    private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        if (!loopback && isFromLoopback(request)) {
            chain.proceed();
            return;
        }
        Observed observed = Observed.arrived(recorder);
        boolean returned = false;
        try {
            chain.proceed();
            returned = true;
        } finally {
            observed.ended(
                    request.prologue().method().text(),
                    request.matchingPattern().orElse("unmatched"),
                    returned ? response.status().code() : 500);
        }
    }

    private static boolean isFromLoopback(RoutingRequest request) {
        return request.remotePeer().address() instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && Loopback.is(peer.getAddress().getHostAddress());
    }
}
