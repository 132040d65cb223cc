package dev.hotstate.jobs;

import java.time.Instant;
import java.util.List;

/** Somebody who asked for tasks lately, and the tasks held now; at most 100 of them are named. */
public record WorkerView(String name, List<String> queues, Instant seenAt, int running, List<Held> tasks) {}
