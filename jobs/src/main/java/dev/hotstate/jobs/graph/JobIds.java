package dev.hotstate.jobs.graph;

import java.security.SecureRandom;
import java.util.Locale;

/** Ids for jobs that come without one: a beginning that people recognise, and chance enough that none comes twice. */
final class JobIds {
    private static final SecureRandom CHANCE = new SecureRandom();
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int CHANCE_LETTERS = 15;
    private static final int NAME_LETTERS = JobLimits.JOB_ID - CHANCE_LETTERS - 1;

    private JobIds() {}

    static String random(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String start =
                plain.substring(0, Math.min(plain.length(), NAME_LETTERS)).replaceAll("^-+|-+$", "");
        StringBuilder id = new StringBuilder(start.isEmpty() ? "job" : start).append('-');
        for (int i = 0; i < CHANCE_LETTERS; i++) {
            id.append(LETTERS.charAt(CHANCE.nextInt(LETTERS.length())));
        }
        return id.toString();
    }
}
