package dev.hotstate.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate that signs itself, made by the JDK's keytool in about a second.
 *
 * @param certificate a PEM file, which is its own authority too
 * @param key a PEM file (PKCS #8), not encrypted
 */
public record TestCertificate(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";

    /**
     * @param name whom it is for: {@code ip:127.0.0.1} or {@code dns:redis.example}
     * @param folder where its files go
     */
    public static TestCertificate make(String name, Path folder) throws IOException, GeneralSecurityException {
        Path store = folder.resolve("server.p12");
        makeKeys(name, store);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new TestCertificate(
                pem("CERTIFICATE", keys.getCertificate("server").getEncoded(), folder.resolve("certificate.pem")),
                pem(
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD.toCharArray()).getEncoded(),
                        folder.resolve("key.pem")));
    }

    private static void makeKeys(String name, Path store) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=" + name,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
        if (!Files.exists(store)) {
            throw new IOException("keytool made no certificate: " + said);
        }
    }

    private static Path pem(String what, byte[] content, Path file) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
