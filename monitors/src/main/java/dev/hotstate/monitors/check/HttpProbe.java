package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Evidence.Phase;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/** Asks a URL over a new connection, and follows its redirects one at a time, each under the same rules as the first. */
final class HttpProbe implements Probe {
    private final Dialer dialer;
    private final Handshakes handshakes;
    private final int largestBody;

    HttpProbe(Dialer dialer, Handshakes handshakes, int largestBody) {
        this.dialer = dialer;
        this.handshakes = handshakes;
        this.largestBody = largestBody;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        boolean needsBody =
                spec.assertions().stream().anyMatch(one -> one.subject().needsBody());
        var redirects = new HttpRedirects(spec.options().redirects());
        Optional<HttpQuestion> question = Optional.of(HttpQuestion.first(spec));
        while (question.isPresent()) {
            HttpQuestion asked = question.get();
            String doing =
                    "waiting for the answer of " + Quoted.excerpt(asked.target().toString());
            try {
                HttpLine line = HttpLine.open(asked, dialer, handshakes, deadline, evidence);
                ClassicHttpResponse response = answer(line, asked, evidence);
                question = redirects.after(asked, response);
                if (question.isEmpty() && needsBody && asked.mayHaveBody(response.getCode())) {
                    doing = "reading the body";
                    line.receiveBody(response);
                    HttpBody.read(response, largestBody, evidence);
                }
                line.end();
            } catch (HttpException e) {
                throw garbled(e);
            } catch (IOException e) {
                throw failed(e, deadline, doing);
            }
        }
    }

    private static ClassicHttpResponse answer(HttpLine line, HttpQuestion asked, Evidence evidence)
            throws IOException, HttpException {
        line.send(asked.request());
        long start = System.nanoTime();
        try {
            ClassicHttpResponse response = line.receiveHead();
            evidence.status = response.getCode();
            evidence.headers = headers(response);
            return response;
        } finally {
            evidence.spent(Phase.FIRST_BYTE, start);
        }
    }

    private static Map<String, String> headers(ClassicHttpResponse response) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : response.getHeaders()) {
            String value = header.getValue() == null ? "" : header.getValue();
            headers.merge(header.getName().toLowerCase(Locale.ROOT), value, (first, next) -> first + ", " + next);
        }
        return headers;
    }

    private static CheckFailedException failed(IOException e, Deadline deadline, String doing) {
        if (deadline.hasPassed() || Thread.currentThread().isInterrupted()) {
            return CheckFailedException.of(e, deadline, doing);
        }
        return switch (e) {
            case NoHttpResponseException none ->
                new CheckFailedException(Failure.CLOSED, "the target closed the connection while " + doing);
            case MessageConstraintException large ->
                new CheckFailedException(Failure.GARBLED, "the answer's headers are too large: " + large.getMessage());
            default -> CheckFailedException.of(e, deadline, doing);
        };
    }

    private static CheckFailedException garbled(HttpException e) {
        return new CheckFailedException(
                Failure.GARBLED, "the answer is not HTTP: " + Quoted.excerpt(String.valueOf(e.getMessage()), 200));
    }
}
