package dev.hotstate.drivers;

/** What a region said to a fix, and which one. */
record Placed(FixReply reply, String region) {
    boolean isElsewhere() {
        return reply instanceof FixReply.Absent || reply instanceof FixReply.Moved;
    }
}
