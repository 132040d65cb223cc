package dev.hotstate.monitors.check;

/** Whether somebody accepts connections. */
final class TcpProbe implements Probe {
    private final Dialer dialer;

    TcpProbe(Dialer dialer) {
        this.dialer = dialer;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        dialer.dial(spec.where(), deadline, evidence);
    }
}
