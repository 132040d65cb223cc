package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.Eventually;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ServerConnectionException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IncomingTest {
    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicBoolean cut = new AtomicBoolean();
    private final Incoming incoming = new Incoming(DataReader.create(this::read));
    private final CountDownLatch gone = new CountDownLatch(1);

    @Test
    void nothingIsReadBeforeItIsPulledUnlessACallWaits() {
        sent.add(bytes("one"));

        assertThat(reads).hasValue(0);
        assertThat(incoming.get()).asString().isEqualTo("one");
    }

    @Test
    void whatWasReadAheadIsTheNextToBePulled() {
        incoming.whenGone(gone::countDown);
        sent.add(bytes("one"));
        sent.add(bytes("two"));

        assertThat(incoming.get()).asString().isEqualTo("one");
        assertThat(incoming.get()).asString().isEqualTo("two");
        assertThat(gone.getCount()).isEqualTo(1);
    }

    @Test
    void oneBufferIsReadAheadHoweverManyCallsWait() {
        sent.add(bytes("one"));
        sent.add(bytes("two"));
        incoming.whenGone(gone::countDown);
        Eventually.until("it is read", () -> sent.size() == 1);
        incoming.whenGone(gone::countDown);

        assertThat(incoming.get()).asString().isEqualTo("one");
        assertThat(reads).hasValue(1);
    }

    @Test
    void theEndIsToldToAllWhoWaitAndToWhoComesLater() throws InterruptedException {
        incoming.whenGone(gone::countDown);
        sent.add(END);
        gone.await();

        var later = new AtomicBoolean();
        incoming.whenGone(() -> later.set(true));
        assertThat(later).isTrue();
        assertThat(incoming.get()).isNull();
    }

    @Test
    void whoIsInterruptedWhileThereIsNothingToPullEndsTheReadToo() {
        incoming.whenGone(gone::countDown);
        Eventually.until("it reads", () -> reads.get() == 1);

        Thread.currentThread().interrupt();
        assertThatThrownBy(incoming::get).isInstanceOf(ServerConnectionException.class);
        assertThat(Thread.interrupted()).isTrue();
        Eventually.until("nobody reads", cut::get);
    }

    @Test
    void aReadAheadThatFailsMeansThatTheClientIsGoneAndFailsForWhoPulls() throws InterruptedException {
        var broken = new Incoming(DataReader.create(() -> {
            throw new IllegalStateException("reset");
        }));
        broken.whenGone(gone::countDown);

        gone.await();
        assertThatThrownBy(broken::get)
                .isInstanceOf(ServerConnectionException.class)
                .hasRootCauseMessage("reset");
    }

    private byte[] read() {
        reads.incrementAndGet();
        try {
            var next = sent.take();
            return next == END ? null : next;
        } catch (InterruptedException interrupted) {
            cut.set(true);
            throw new IllegalStateException(interrupted);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes();
    }
}
