package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.Finding.Confidence;

/** The interval in which a share lies with 95 % confidence, from a sample; it is right for few and for rare ones too. */
final class Wilson {
    private static final double Z = 1.96;

    private Wilson() {}

    static Confidence interval(long found, long sampled) {
        if (sampled == 0) {
            return new Confidence(0, 0, 0, 1);
        }
        double n = sampled;
        double share = found / n;
        double z2 = Z * Z;
        double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
        double half = Z / (1 + z2 / n) * Math.sqrt(share * (1 - share) / n + z2 / (4 * n * n));
        return new Confidence(sampled, found, Math.max(0, middle - half), Math.min(1, middle + half));
    }
}
