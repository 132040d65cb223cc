package dev.hotstate.monitors.check;

import java.net.Socket;

/** Whether a handshake succeeds, with a certificate that holds. */
final class TlsProbe implements Probe {
    private final Dialer dialer;
    private final Handshakes handshakes;

    TlsProbe(Dialer dialer, Handshakes handshakes) {
        this.dialer = dialer;
        this.handshakes = handshakes;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        Target target = spec.where();
        Socket socket = dialer.dial(target, deadline, evidence);
        handshakes
                .shake(socket, target, spec.options().tls(), deadline, evidence)
                .end();
    }
}
