package dev.hotstate.monitors.alert;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a message could not be sent, in a few words for a person. */
final class Reason {
    private Reason() {}

    static String of(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> "failed";
            case Judge.RefusedAddressException refused -> said(refused);
            case UnknownHostException unknown -> "the name of the host is not known: " + said(unknown);
            case SocketTimeoutException slow -> "no answer in time: " + said(slow);
            case ConnectException refused -> "cannot connect: " + said(refused);
            case SSLException untrusted -> "no trusted connection: " + said(untrusted);
            default -> said(failure);
        };
    }

    private static String said(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
