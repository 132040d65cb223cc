package dev.hotstate.jobs;

/** How much of what tasks have given is read with them: a job's results may be many times what is asked for. */
enum Results {
    NONE(0),
    /** As lists show them. */
    SHORT(4 * 1024),
    ALL(Integer.MAX_VALUE);

    private final int longest;

    Results(int longest) {
        this.longest = longest;
    }

    /** In bytes. */
    int longest() {
        return longest;
    }
}
