package dev.hotstate.monitors.alert;

import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * How alerts are delivered.
 *
 * @param retention how long the log of a delivery is kept
 */
public record AlertOptions(Pace pace, Retries retries, Network network, Duration retention) {
    public static final AlertOptions DEFAULTS =
            new AlertOptions(Pace.DEFAULTS, Retries.DEFAULTS, Network.DEFAULTS, Duration.ofDays(90));

    public AlertOptions {
        requirePositive("retention", retention);
    }

    public AlertOptions withPace(Pace pace) {
        return new AlertOptions(pace, retries, network, retention);
    }

    public AlertOptions withRetries(Retries retries) {
        return new AlertOptions(pace, retries, network, retention);
    }

    public AlertOptions withNetwork(Network network) {
        return new AlertOptions(pace, retries, network, retention);
    }

    /**
     * How much at once, and how long each may take.
     *
     * @param workers the most messages under way on this instance
     * @param perChannel the most of them on one channel, so that a slow one leaves room for the others
     * @param timeout the longest that sending one message may take, from the first look-up to the last byte
     * @param lease how long a message belongs to the one who sends it
     * @param grace how much longer nobody else sends it: a sender that PostgreSQL was away for can still say that it is out
     * @param poll the longest time between two looks at the outbox
     */
    public record Pace(int workers, int perChannel, Duration timeout, Duration lease, Duration grace, Duration poll) {
        public static final Pace DEFAULTS = new Pace(
                32, 4, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(1));

        public Pace {
            if (workers < 1 || workers > 1000) {
                throw new IllegalArgumentException("workers must be from 1 to 1000, not " + workers);
            }
            if (perChannel < 1 || perChannel > workers) {
                throw new IllegalArgumentException(
                        "perChannel must be from 1 to the number of workers, not " + perChannel);
            }
            requirePositive("timeout", timeout);
            requirePositive("grace", grace);
            requirePositive("poll", poll);
            if (lease.compareTo(timeout) <= 0) {
                throw new IllegalArgumentException("lease must be longer than the timeout, not " + lease);
            }
        }
    }

    /**
     * What happens to a message that did not arrive. Any failure is worth another attempt: whoever moves a URL mends it
     * within a day, and an alert that was given up is an alert lost.
     *
     * @param first the wait after the first failure; it doubles with each
     * @param longest the longest wait, also where a server asks for a longer one
     * @param attempts the most
     * @param giveUpAfter no attempt begins later than that
     */
    public record Retries(Duration first, Duration longest, int attempts, Duration giveUpAfter) {
        public static final Retries DEFAULTS =
                new Retries(Duration.ofSeconds(1), Duration.ofMinutes(5), 400, Duration.ofHours(24));

        public Retries {
            requirePositive("first", first);
            requirePositive("giveUpAfter", giveUpAfter);
            if (longest.compareTo(first) < 0) {
                throw new IllegalArgumentException("longest must not be shorter than first: " + longest);
            }
            if (attempts < 1) {
                throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
            }
        }

        /**
         * The wait after a failure.
         *
         * @param attempts how many there were
         * @param asked what the server has asked for, or zero
         * @param chance from 0 to 1: a wait is cut by up to half, so that messages which failed together part
         */
        Duration wait(int attempts, Duration asked, double chance) {
            double doubled = first.toMillis() * Math.pow(2, Math.clamp(attempts - 1L, 0, 40));
            double ownMs = Math.min(doubled, longest.toMillis()) * (1 - chance / 2);
            return Duration.ofMillis(Math.min(longest.toMillis(), Math.max((long) ownMs, asked.toMillis())));
        }
    }

    /**
     * Where messages may go.
     *
     * @param allowed whether an address may be connected to
     * @param tls whom to trust
     */
    public record Network(Predicate<InetAddress> allowed, SSLContext tls) {
        public static final Network DEFAULTS = new Network(Network::isOrdinary, system());

        /** Link-local is where clouds keep the machine's own credentials. */
        private static boolean isOrdinary(InetAddress address) {
            return !address.isLinkLocalAddress() && !address.isAnyLocalAddress() && !address.isMulticastAddress();
        }

        private static SSLContext system() {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException absent) {
                throw new IllegalStateException("every Java has TLS", absent);
            }
        }
    }

    private static void requirePositive(String field, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(field + " must be positive, not " + value);
        }
    }
}
