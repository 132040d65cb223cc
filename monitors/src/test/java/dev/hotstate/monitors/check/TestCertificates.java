package dev.hotstate.monitors.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A certificate authority of the test's own and what it has signed, made by this JDK's keytool in a folder of the test. */
final class TestCertificates {
    private static final String PASSWORD = "changeit";

    private final KeyStore store;

    private TestCertificates(KeyStore store) {
        this.store = store;
    }

    static TestCertificates make(Path folder) throws IOException, GeneralSecurityException {
        Path file = folder.resolve("test.p12");
        keytool(file, "-alias", "ca", "-dname", "CN=Test CA", "-ext", "bc:c", "-validity", "400");
        signed(file, "good", "-ext", "san=dns:localhost,ip:127.0.0.1", "-startdate", "-10d", "-validity", "40");
        signed(file, "expired", "-ext", "san=ip:127.0.0.1", "-startdate", "-10d", "-validity", "5");
        signed(file, "early", "-ext", "san=ip:127.0.0.1", "-startdate", "+10d", "-validity", "5");
        signed(file, "other", "-ext", "san=dns:other.example", "-validity", "100");
        keytool(file, "-alias", "self", "-dname", "CN=Self", "-ext", "san=ip:127.0.0.1", "-validity", "100");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificates(store);
    }

    String caPem() throws GeneralSecurityException {
        return pem("CERTIFICATE", store.getCertificate("ca").getEncoded());
    }

    String chainPem(String alias) throws GeneralSecurityException {
        return pem("CERTIFICATE", store.getCertificate(alias).getEncoded()) + caPem();
    }

    String keyPem(String alias) throws GeneralSecurityException {
        return pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    }

    /** Listens on a free loopback port with the certificate of that alias. */
    ServerSocket door(String alias) throws IOException, GeneralSecurityException {
        return door(() -> alias);
    }

    /** With the certificate that has its turn at each handshake. */
    ServerSocket door(Supplier<String> alias) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new Keys(alias)}, null, null);
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private final class Keys extends X509ExtendedKeyManager {
        private final Supplier<String> alias;

        Keys(Supplier<String> alias) {
            this.alias = alias;
        }

        @Override
        public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return keyType.equals("EC") ? alias.get() : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String chosen) {
            try {
                return Arrays.stream(store.getCertificateChain(chosen)).toArray(X509Certificate[]::new);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public PrivateKey getPrivateKey(String chosen) {
            try {
                return (PrivateKey) store.getKey(chosen, PASSWORD.toCharArray());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[] {alias.get()};
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public @Nullable String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return null;
        }
    }

    private static void signed(Path file, String alias, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("-alias", alias, "-dname", "CN=" + alias, "-signer", "ca"));
        all.addAll(List.of(options));
        keytool(file, all.toArray(String[]::new));
    }

    private static void keytool(Path file, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(command + ": " + said);
        }
    }

    private static String pem(String what, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
