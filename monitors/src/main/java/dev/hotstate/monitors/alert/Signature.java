package dev.hotstate.monitors.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shows a webhook that a message is ours: HMAC-SHA256 of the body's bytes under the secret that both know. */
final class Signature {
    static final String HEADER = "X-Hotstate-Signature";
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    static String of(byte[] body, Secret secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.reveal().getBytes(UTF_8), ALGORITHM));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("every Java has " + ALGORITHM, absent);
        }
    }
}
