package dev.hotstate.bench.jobs.drill;

import java.util.List;

/**
 * A task's input.
 *
 * @param given the needs whose results must be handed to the task
 * @param millis how long an attempt works before it ends
 */
record Instruction(Fate fate, long seed, int millis, List<String> given) {}
