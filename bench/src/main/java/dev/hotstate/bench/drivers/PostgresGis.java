package dev.hotstate.bench.drivers;

import dev.hotstate.drivers.Fix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** The nearest by PostGIS, as its manual has it: a GiST index over geographies, ordered by its distance operator. */
public final class PostgresGis implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final String EXTENSION = "/usr/share/postgresql/%s/extension/postgis.control";
    private static final int AT_ONCE = 10_000;
    private static final int TRIES = 100;

    private final Path folder;
    private final Process process;
    private final Connection connection;

    private PostgresGis(Path folder, Process process, Connection connection) {
        this.folder = folder;
        this.process = process;
        this.connection = connection;
    }

    /** @throws UncheckedIOException where Debian's package is not installed, or does not start */
    public static PostgresGis start() {
        try {
            Path programs = programs();
            Path folder = Files.createTempDirectory("hotstate-bench-postgis");
            try {
                return begin(programs, folder);
            } catch (IOException | RuntimeException failed) {
                delete(folder);
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "PostGIS needs the package postgresql-…-postgis-3: " + failed.getMessage(), failed);
        }
    }

    /** A table of its own for a fleet. */
    public void load(String table, DriverFleet fleet, IntPredicate silent) {
        try {
            execute("CREATE TABLE " + table + " (id text PRIMARY KEY, place geography(Point, 4326) NOT NULL,"
                    + " status text NOT NULL, seen_at timestamptz NOT NULL)");
            for (int from = 0; from < fleet.size(); from += AT_ONCE) {
                insert(table, from, fleet.all(from, Math.min(from + AT_ONCE, fleet.size())), silent);
            }
            execute("CREATE INDEX ON " + table + " USING gist (place)");
            execute("VACUUM ANALYZE " + table);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public List<String> search(String table, double lat, double lon, double metres, int limit) {
        // Nearest first and the radius afterwards: by the radius first it may read and sort all who are within it.
        String sql = "SELECT id FROM (SELECT id, place <-> ST_MakePoint(?, ?)::geography AS metres FROM " + table
                + " WHERE status = 'AVAILABLE' AND seen_at > now() - interval '12 h'"
                + " ORDER BY place <-> ST_MakePoint(?, ?)::geography LIMIT ?) AS nearest WHERE metres <= ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setDouble(1, lon);
            query.setDouble(2, lat);
            query.setDouble(3, lon);
            query.setDouble(4, lat);
            query.setInt(5, limit);
            query.setDouble(6, metres);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void insert(String table, int from, List<Fix> fixes, IntPredicate silent) throws SQLException {
        String sql = "INSERT INTO " + table
                + " SELECT id, ST_MakePoint(lon, lat)::geography, 'AVAILABLE', now() - age * interval '1 day'"
                + " FROM unnest(?::text[], ?::float8[], ?::float8[], ?::int[]) AS fresh (id, lat, lon, age)";
        Object[] ids = new Object[fixes.size()];
        Object[] lats = new Object[fixes.size()];
        Object[] lons = new Object[fixes.size()];
        Object[] ages = new Object[fixes.size()];
        for (int i = 0; i < fixes.size(); i++) {
            ids[i] = fixes.get(i).id();
            lats[i] = fixes.get(i).lat();
            lons[i] = fixes.get(i).lon();
            ages[i] = silent.test(from + i) ? 1 : 0;
        }
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setArray(1, connection.createArrayOf("text", ids));
            insert.setArray(2, connection.createArrayOf("float8", lats));
            insert.setArray(3, connection.createArrayOf("float8", lons));
            insert.setArray(4, connection.createArrayOf("int4", ages));
            insert.executeUpdate();
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Path programs() throws IOException {
        if (Files.isDirectory(VERSIONS)) {
            try (Stream<Path> versions = Files.list(VERSIONS)) {
                return versions.filter(version -> Files.exists(Path.of(EXTENSION.formatted(version.getFileName()))))
                        .map(version -> version.resolve("bin"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("no version under " + VERSIONS + " has it"));
            }
        }
        throw new IOException("there is no " + VERSIONS);
    }

    private static PostgresGis begin(Path programs, Path folder) throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        List<String> as = asOrdinaryUser(folder, data);
        int port = freePort();
        run(as, List.of(programs.resolve("initdb").toString(), "-D", data.toString(), "-U", "postgres", "-A", "trust"));
        Process process = process(
                        as,
                        List.of(
                                programs.resolve("postgres").toString(),
                                "-D",
                                data.toString(),
                                "-p",
                                Integer.toString(port),
                                "-k",
                                folder.toString(),
                                "-c",
                                "listen_addresses=127.0.0.1",
                                "-c",
                                "shared_buffers=512MB",
                                "-c",
                                "max_wal_size=4GB"))
                .start();
        try {
            PostgresGis peer = new PostgresGis(folder, process, connect(port));
            peer.execute("CREATE EXTENSION postgis");
            return peer;
        } catch (SQLException | RuntimeException failed) {
            process.destroyForcibly();
            throw new IOException(failed);
        }
    }

    /** PostgreSQL refuses to run as root; Debian's package has a user for it. */
    private static List<String> asOrdinaryUser(Path... folders) throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        for (Path folder : folders) {
            var users = folder.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(folder, users.lookupPrincipalByName("postgres"));
        }
        return List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
    }

    private static void run(List<String> as, List<String> command) throws IOException {
        try {
            Process process = process(as, command).start();
            if (process.waitFor() != 0) {
                throw new IOException(command.getFirst() + " ended with " + process.exitValue());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IOException(hurried);
        }
    }

    private static ProcessBuilder process(List<String> as, List<String> command) {
        List<String> all = new ArrayList<>(as);
        all.addAll(command);
        return new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    private static Connection connect(int port) throws SQLException {
        for (int i = 1; ; i++) {
            try {
                return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres");
            } catch (SQLException notYet) {
                if (i == TRIES) {
                    throw notYet;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", hurried);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
            process.destroy();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            delete(folder);
        } catch (IOException | SQLException left) {
            throw new IllegalStateException(left);
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
