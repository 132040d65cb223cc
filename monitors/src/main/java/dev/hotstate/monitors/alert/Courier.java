package dev.hotstate.monitors.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.monitors.alert.Verdict.Failed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings one message to one channel, and comes back within the timeout whatever the other side does. */
final class Courier implements AutoCloseable {
    private static final int LONGEST_ERROR = 500;

    // A thread of its own for each message: a look-up of a name cannot be interrupted, but it can be left behind.
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpSender http;
    private final EmailSender email;
    private final Duration timeout;

    Courier(AlertOptions options, InstantSource clock) {
        this.http = new HttpSender(options, clock);
        this.email = new EmailSender(options, clock);
        this.timeout = options.pace().timeout();
    }

    /** @throws InterruptedException when nobody wants to know any more; whether it arrived is not known then */
    Verdict bring(Message message, String key, Channel channel) throws InterruptedException {
        Future<Verdict> sending = senders.submit(() -> send(message, key, channel));
        try {
            return clean(sending.get(timeout.toNanos(), TimeUnit.NANOSECONDS), channel);
        } catch (TimeoutException late) {
            return new Failed("no answer within " + timeout.toMillis() + " ms");
        } catch (ExecutionException failed) {
            return clean(new Failed(Reason.of(failed.getCause())), channel);
        } finally {
            sending.cancel(true);
        }
    }

    /** Gives up whatever is under way. */
    @Override
    public void close() {
        senders.shutdownNow();
        try {
            http.close();
        } catch (IOException unclosed) {
            throw new UncheckedIOException(unclosed);
        }
    }

    private Verdict send(Message message, String key, Channel channel) throws Exception {
        Map<String, String> headers = new HashMap<>(Map.of("Idempotency-Key", key));
        return switch (channel.settings()) {
            case Webhook webhook -> {
                byte[] body = message.json().getBytes(UTF_8);
                webhook.headers().forEach((name, value) -> headers.put(name, value.reveal()));
                if (webhook.secret() != null) {
                    headers.put(Signature.HEADER, Signature.of(body, webhook.secret()));
                }
                yield http.post(webhook.url().reveal(), body, headers);
            }
            case Slack slack ->
                http.post(slack.url().reveal(), SlackText.json(message).getBytes(UTF_8), headers);
            case Email settings -> email.send(message, key, settings);
        };
    }

    /** Whatever the other side says is cut, and has no secret in it. */
    private static Verdict clean(Verdict verdict, Channel channel) {
        return verdict instanceof Failed failed
                ? new Failed(Text.oneLine(channel.redact(failed.error()), LONGEST_ERROR), failed.retryAfter())
                : verdict;
    }
}
