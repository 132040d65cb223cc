package dev.hotstate.traffic;

import java.security.SecureRandom;

/**
 * One run of an instance, as Redis knows it: an instance that starts again is another writer.
 *
 * @param id 12 letters and digits, so that no two writers of a day are alike
 * @param process whether it is a process of the fleet, with connections and a short lease, or reports from elsewhere
 */
record Writer(String id, String instance, boolean process) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LENGTH = 12;

    /** The instances beyond a cap. */
    static final String OTHER = "other";

    static Writer process(String instance) {
        return new Writer(random(), instance, true);
    }

    static Writer reporter(String instance) {
        return new Writer(random(), instance, false);
    }

    /** The same, under the name of all for which there is no room. */
    Writer asOther() {
        return new Writer(id, OTHER, process);
    }

    /** A word that nobody else has. */
    static String random() {
        StringBuilder word = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            word.append(Character.forDigit(RANDOM.nextInt(36), 36));
        }
        return word.toString();
    }
}
