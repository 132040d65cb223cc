package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.wire.Connection;
import java.util.ArrayList;
import java.util.List;

/** What is read of one node: the names of its keys, or each key with all that is asked about it. */
abstract class ScanPart {
    private final Connection node;
    private final Census census;
    private boolean done;

    /**
     * What the parts of one scan have in common.
     *
     * @param notLookedAt where a part notes what it was refused
     */
    record Reading(ScanOptions options, Census.Plan plan, Crew crew, List<NotLookedAt> notLookedAt) {}

    private ScanPart(Connection node, Resume resume, int number) {
        this.node = node;
        this.census = resume.census(address(), number);
        this.done = resume.isDone(address());
    }

    /** @param number of the part, by which samples remember where they were chosen */
    static ScanPart of(Connection node, Resume resume, int number, Reading reading) {
        return reading.options().full()
                ? new InFull(node, resume, number, reading)
                : new AllNames(node, resume, number, reading);
    }

    /** Reads on from where it is; whether it came to the end is told by {@link #isDone}. */
    final void run() {
        done = read();
    }

    final boolean isDone() {
        return done;
    }

    final Connection node() {
        return node;
    }

    final String address() {
        return node.endpoint().address();
    }

    final Census census() {
        return census;
    }

    /** Where it is, for an audit that goes on another time. */
    abstract Resume.Left left();

    abstract int batch();

    /** @return whether it came to the end */
    abstract boolean read();

    private static final class AllNames extends ScanPart {
        private final Crew crew;
        private final Resume resume;
        private final KeyScan scan;

        AllNames(Connection node, Resume resume, int number, Reading reading) {
            super(node, resume, number);
            this.crew = reading.crew();
            this.resume = resume;
            this.scan = new KeyScan(node, reading.options().latency());
            resume.goOn(address(), scan.cursor());
            census().add(resume.uncounted(address()));
        }

        @Override
        boolean read() {
            return scan.run(names -> {
                census().add(names);
                if (resume.isDue(address())) {
                    resume.write(left());
                }
                return crew.did(names.count());
            });
        }

        @Override
        Resume.Left left() {
            return new Resume.Left(address(), scan.cursor(), isDone(), census(), census().waiting());
        }

        @Override
        int batch() {
            return scan.batch();
        }
    }

    private static final class InFull extends ScanPart {
        private final Reading reading;
        private final Resume resume;
        private final FullScan scan;
        private final Looker looker;

        InFull(Connection node, Resume resume, int number, Reading reading) {
            super(node, resume, number);
            this.reading = reading;
            this.resume = resume;
            var options = reading.options();
            this.scan = new FullScan(
                    node, census(), options.latency(), () -> !reading.crew().isStopped());
            resume.goOn(address(), scan.cursor());
            scan.add(resume.uncounted(address()));
            this.looker = new Looker(node, List.copyOf(reading.plan().families()), options.frequencies(), true);
        }

        @Override
        boolean read() {
            looker.look(scan, this::add);
            reading.notLookedAt().addAll(looker.notLookedAt());
            return scan.isDone();
        }

        private void add(Looked key) {
            census().add(key);
            reading.crew().did(1);
            if (resume.isDue(address())) {
                resume.write(left());
            }
        }

        @Override
        Resume.Left left() {
            List<Looked> uncounted = new ArrayList<>(census().waiting());
            uncounted.addAll(looker.underway());
            uncounted.addAll(scan.untaken());
            return new Resume.Left(address(), scan.cursor(), isDone(), census(), uncounted);
        }

        @Override
        int batch() {
            return scan.batch();
        }
    }
}
