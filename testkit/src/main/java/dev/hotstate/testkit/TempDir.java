package dev.hotstate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of servers. */
final class TempDir {
    private TempDir() {}

    static Path create(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a file, or a folder with all it holds; does nothing if there is none. */
    static void delete(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // already gone
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes what a folder holds, except the files named. */
    static void empty(Path folder, List<String> except) {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> !except.contains(file.getFileName().toString()))
                    .forEach(TempDir::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
