package dev.hotstate.drivers;

/**
 * A driver on its way to another region, as its tombstone keeps it.
 *
 * @param region where it goes
 * @param epoch by which it enters there
 * @param line as it left, of {@code fix}; empty for a driver that comes from nowhere
 * @param profile as it left, of {@code profile}; empty where there is none
 */
record Leaving(String region, long epoch, String line, String profile) {
    static Leaving fromNowhere(String region, long epoch) {
        return new Leaving(region, epoch, "", "");
    }
}
