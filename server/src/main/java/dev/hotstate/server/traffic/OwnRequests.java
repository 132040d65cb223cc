package dev.hotstate.server.traffic;

import dev.hotstate.server.http.RequestObserver;
import dev.hotstate.traffic.Recorder;

/**
 * Counts the server's own requests. Watching is no traffic, so calls of {@code /traffic} are left out; and a stream of
 * events is open, but its life is no response time. Requests from this machine count only where no others can come.
 */
final class OwnRequests implements RequestObserver {
    private final Recorder recorder;
    private final boolean loopbackCounts;

    OwnRequests(Recorder recorder, boolean loopbackCounts) {
        this.recorder = recorder;
        this.loopbackCounts = loopbackCounts;
    }

    @Override
    public void arrived(boolean fromLoopback) {
        if (counts(fromLoopback)) {
            recorder.began();
        }
    }

    @Override
    public void answered(Answered request) {
        if (counts(request.fromLoopback())) {
            recorder.ended();
            if (isTraffic(request.route())) {
                recorder.record(request.method(), request.route(), request.status(), request.took());
            }
        }
    }

    private boolean counts(boolean fromLoopback) {
        return loopbackCounts || !fromLoopback;
    }

    private static boolean isTraffic(String route) {
        return !route.equals("/traffic") && !route.startsWith("/traffic/") && !route.equals("/events");
    }
}
