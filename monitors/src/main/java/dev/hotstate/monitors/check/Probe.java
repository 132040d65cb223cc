package dev.hotstate.monitors.check;

/** Asks a target of one type. */
interface Probe {
    /** Leaves what it saw in the evidence, also of a target that fails. */
    void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException;
}
