package dev.hotstate.bench.jobs.drill;

/** How a task must end if it begins, whatever happens to those who do it. */
enum Fate {
    /** It has retries for every calamity, and no attempt after the third fails by itself: it succeeds. */
    SURE,
    /** Every attempt fails. */
    DOOMED,
    /** It has few retries and may fail or not; but it has succeeded if its effect is committed, and only then. */
    OPEN
}
