package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(Testkit.class)
class BatchIT {
    private static final Instant NOON = Instant.parse("2024-03-01T12:00:00.123456Z");

    private static final List<String> NASTY = List.of(
            "",
            " ",
            "tab\there",
            "line\nbreak",
            "carriage\rreturn",
            "\r\n",
            "back\\slash",
            "\\N",
            "\\.",
            "\\t",
            "null",
            "NULL",
            "quote' double\" {brace},comma",
            "héllo wörld ß 中文 \uD83D\uDE80 \u200B",
            "\b\f\u000B\u0001\u007F",
            "x".repeat(200_000));

    private record Note(String id, Instant at, String body) {}

    private static final Batch<Note> NOTES = Batch.<Note>into("notes")
            .key("id", "text", Note::id)
            .version("at", "timestamptz", Note::at)
            .column("order", "text", Note::body);

    private static final Batch<Note> UNVERSIONED = Batch.<Note>into("public.notes")
            .key("id", "text", Note::id)
            .column("at", "timestamptz", Note::at)
            .column("order", "text", Note::body);

    /** The two ways in, for what must hold for both. */
    private enum Way {
        UPSERT {
            @Override
            <R> long write(Batch<R> batch, Handle handle, List<R> rows) {
                return batch.upsert(handle, rows);
            }
        },
        COPY {
            @Override
            <R> long write(Batch<R> batch, Handle handle, List<R> rows) {
                return batch.copy(handle, rows);
            }
        };

        abstract <R> long write(Batch<R> batch, Handle handle, List<R> rows);
    }

    private Database database;
    private Handle handle;

    @BeforeEach
    void open(PostgresServer postgres) {
        PostgresDatabase fresh = postgres.freshDatabase();
        database = Database.open(DatabaseOptions.of(Urls.of(fresh)));
        handle = Jdbi.open(fresh::connect);
        handle.execute("CREATE TABLE notes (id text PRIMARY KEY, at timestamptz, \"order\" text)");
    }

    @AfterEach
    void close() {
        handle.close();
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void nastyTextsComeBackAsTheyWere(Way way) {
        List<Note> notes = IntStream.range(0, NASTY.size())
                .mapToObj(i -> new Note(NASTY.get(i), NOON, NASTY.get(i)))
                .filter(note -> note.id().length() < 1000)
                .toList();
        Note longest = new Note("long", NOON, NASTY.getLast());
        Note nothing = new Note("nothing", NOON, null);
        List<Note> all = new ArrayList<>(notes);
        Collections.addAll(all, longest, nothing);

        assertThat(way.write(NOTES, handle, all)).isEqualTo(all.size());

        assertStored(all);
    }

    private enum Colour {
        RED
    }

    private record Everything(
            UUID id,
            int small,
            long large,
            double real,
            boolean flag,
            Colour colour,
            byte[] bytes,
            Duration time,
            List<String> tags) {}

    @ParameterizedTest
    @EnumSource
    void everyKindOfValueFindsItsColumn(Way way) {
        handle.execute(
                "CREATE TABLE everything (id uuid PRIMARY KEY, small integer, large bigint, real float8, flag boolean,"
                        + " colour text, bytes bytea, time interval, tags text[], document jsonb)");
        Batch<Everything> batch = Batch.<Everything>into("everything")
                .key("id", "uuid", Everything::id)
                .column("small", "integer", Everything::small)
                .column("large", "bigint", Everything::large)
                .column("real", "double precision", Everything::real)
                .column("flag", "boolean", Everything::flag)
                .column("colour", "text", Everything::colour)
                .column("bytes", "bytea", Everything::bytes)
                .column("time", "interval", Everything::time)
                .column("tags", "text[]", Everything::tags)
                .column("document", "jsonb", row -> "{\"a\": \"tab\\tquote\\\"\"}");
        Everything row = new Everything(
                UUID.fromString("0c1a4c3e-0000-4000-8000-00000000abcd"),
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Double.MIN_VALUE,
                true,
                Colour.RED,
                new byte[] {0, 92, -1},
                Duration.ofSeconds(-90, 500_000_000),
                NASTY.subList(0, NASTY.size() - 1));

        assertThat(way.write(batch, handle, List.of(row))).isOne();

        handle.createQuery("SELECT *, extract(epoch FROM time)::text AS seconds, document ->> 'a' AS a FROM everything")
                .map((rs, context) -> {
                    assertThat(rs.getObject("id")).isEqualTo(row.id());
                    assertThat(rs.getInt("small")).isEqualTo(row.small());
                    assertThat(rs.getLong("large")).isEqualTo(row.large());
                    assertThat(rs.getDouble("real")).isEqualTo(row.real());
                    assertThat(rs.getBoolean("flag")).isTrue();
                    assertThat(rs.getString("colour")).isEqualTo("RED");
                    assertThat(rs.getBytes("bytes")).isEqualTo(row.bytes());
                    assertThat(rs.getString("seconds")).isEqualTo("-89.500000");
                    assertThat((String[]) rs.getArray("tags").getArray()).containsExactlyElementsOf(row.tags());
                    assertThat(rs.getString("a")).isEqualTo("tab\tquote\"");
                    return row;
                })
                .one();
    }

    @ParameterizedTest
    @EnumSource
    void twentyThousandRowsAllArrive(Way way) {
        List<Note> many = notes(20_000, "first");

        assertThat(way.write(NOTES, handle, many)).isEqualTo(20_000);

        assertStored(many);
    }

    @Test
    void anUpsertReplacesWhatIsThereAndInsertsWhatIsNot() {
        NOTES.upsert(handle, notes(10_000, "first"));
        List<Note> more = notes(20_000, "second");

        assertThat(NOTES.upsert(handle, more)).isEqualTo(20_000);

        assertStored(more);
    }

    @Test
    void ofRowsWithTheSameKeyTheNewestIsWrittenWhereverItStands() {
        Note newest = new Note("a", NOON.plusSeconds(9), "newest");

        int written = NOTES.upsert(
                handle,
                List.of(new Note("a", NOON, "old"), newest, new Note("a", NOON.plusSeconds(1), "newer than old")));

        assertThat(written).isOne();
        assertThat(notes()).containsExactly(newest);
    }

    @Test
    void withoutAVersionTheLastOfTheSameKeyIsWritten() {
        Note last = new Note("a", NOON.minusSeconds(9), "last");

        UNVERSIONED.upsert(handle, List.of(new Note("a", NOON, "first"), last));

        assertThat(notes()).containsExactly(last);
    }

    @Test
    void anOlderRowDoesNotReplaceANewerOne() {
        Note present = new Note("a", NOON, "present");
        NOTES.upsert(handle, List.of(present));

        assertThat(NOTES.upsert(handle, List.of(new Note("a", NOON.minusSeconds(1), "late"))))
                .isZero();
        assertThat(notes()).containsExactly(present);
    }

    @Test
    void keysThatOnlyLookAlikeWhenJoinedAreDifferentRows() {
        handle.execute("CREATE TABLE pairs (a text, b text, PRIMARY KEY (a, b))");
        Batch<List<String>> pairs = Batch.<List<String>>into("pairs")
                .key("a", "text", List::getFirst)
                .key("b", "text", List::getLast);
        List<List<String>> rows = List.of(List.of("x\ty", "z"), List.of("x", "y\tz"), List.of("x\\ty", "z"));

        assertThat(pairs.upsert(handle, rows)).isEqualTo(3);
        assertThat(pairs.upsert(handle, rows)).isZero();
    }

    @Test
    void oneBadRowAmongThousandsLeavesNothingWritten() {
        List<Note> many = new ArrayList<>(notes(7_000, "good"));
        handle.execute("ALTER TABLE notes ADD CHECK (\"order\" <> 'bad')");
        many.add(new Note("zzz", NOON, "bad"));

        for (Way way : Way.values()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> way.write(NOTES, handle, many))
                    .withMessageStartingWith("Writing to the table notes failed: ")
                    .withMessageContaining("violates check constraint");
        }

        assertThat(notes()).isEmpty();
    }

    @Test
    void aRowThatCannotBeReadEndsTheCopyAndTheConnectionIsStillGood() {
        List<Note> many = new ArrayList<>(notes(7_000, "good"));
        many.add(new Note("zzz", NOON, "nul\0"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> NOTES.copy(handle, many))
                .withMessage("column order: cannot store the character U+0000 at position 3");

        assertThat(notes()).isEmpty();
    }

    @Test
    void aCopyOfARowThatIsThereFailsAndSaysWhere() {
        NOTES.copy(handle, notes(1, "first"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> NOTES.copy(handle, notes(2, "second")))
                .withMessageStartingWith("Writing to the table notes failed: duplicate key value");
    }

    @Test
    void anUpsertIsPartOfTheCallersTransaction() {
        handle.useTransaction(transaction -> {
            NOTES.upsert(transaction, notes(10, "gone"));
            NOTES.copy(transaction, List.of(new Note("copied", NOON, "gone")));
            transaction.rollback();
        });

        assertThat(notes()).isEmpty();
    }

    @Test
    void noRowsAreNoWork() {
        assertThat(NOTES.upsert(handle, List.of())).isZero();
        assertThat(NOTES.copy(handle, List.of())).isZero();
    }

    @Test
    void writersOfTheSameRowsInOppositeOrdersDoNotDeadlock() throws Exception {
        List<Note> forwards = notes(5_000, "forwards");
        List<Note> backwards = notes(5_000, "backwards").reversed();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> rounds = new ArrayList<>();
            for (List<Note> rows : List.of(forwards, backwards, forwards, backwards)) {
                rounds.add(writers.submit(() -> database.withHandle(own -> NOTES.upsert(own, rows))));
            }
            for (Future<?> round : rounds) {
                assertThat(round.get()).isEqualTo(5_000);
            }
        }
    }

    @Test
    void mistakesInADeclarationAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Batch.into("notes; DROP"))
                .withMessageContaining("notes; DROP");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NOTES.column("a\"b", "text", Note::id))
                .withMessageContaining("a\"b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NOTES.column("a", "text); DROP", Note::id))
                .withMessageContaining("text); DROP");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NOTES.upsert(handle, List.of(new Note(null, NOON, ""))))
                .withMessage("column id must not be null");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        Batch.<Note>into("notes").column("id", "text", Note::id).upsert(handle, List.of()))
                .withMessageContaining("notes declares no key");
    }

    // As sets: AssertJ's comparison of lists in any order is quadratic.
    private void assertStored(List<Note> expected) {
        assertThat(notes()).hasSameSizeAs(expected);
        assertThat(Set.copyOf(notes())).isEqualTo(Set.copyOf(expected));
    }

    private static List<Note> notes(int count, String body) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Note("n" + i, NOON.plusMillis(i), body))
                .toList();
    }

    private List<Note> notes() {
        return handle.createQuery("SELECT id, at, \"order\" FROM notes")
                .map((rs, context) -> {
                    Timestamp at = rs.getTimestamp("at");
                    return new Note(rs.getString("id"), at.toInstant(), rs.getString("order"));
                })
                .list();
    }
}
