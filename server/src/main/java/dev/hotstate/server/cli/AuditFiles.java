package dev.hotstate.server.cli;

import dev.hotstate.audit.report.Baseline;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.audit.report.Waivers;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.core.InvalidDocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The files of an audit. What is wrong with one is a sentence that names it. */
final class AuditFiles {
    private AuditFiles() {}

    static Schema schema(Path file) {
        return read(file, SchemaReader::read);
    }

    static Report report(Path file) {
        return read(file, ReportJson::read);
    }

    static Baseline baseline(Path file) {
        return read(file, Baseline::read);
    }

    static Waivers waivers(@Nullable Path file) {
        return file == null ? Waivers.NONE : read(file, Waivers::read);
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new CommandFailedException("there is no file " + file);
        } catch (IOException broken) {
            throw new CommandFailedException(file + " cannot be read: " + broken.getMessage());
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException broken) {
            throw new CommandFailedException(file + " cannot be written: " + broken.getMessage());
        }
    }

    /** Told before anybody has waited for what is to be written. */
    static void writable(@Nullable Path file) {
        if (file == null) {
            return;
        }
        var folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new CommandFailedException(file + " cannot be written: there is no folder " + folder);
        }
        if (Files.isDirectory(file)) {
            throw new CommandFailedException(file + " cannot be written: it is a folder");
        }
        if (folder != null && !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new CommandFailedException(file + " cannot be written: that is not allowed");
        }
    }

    /** Something that may take its time. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws InterruptedException;
    }

    /** What the caller gave is at fault: one sentence. */
    static <T> T asked(Question<T> question) {
        try {
            return question.ask();
        } catch (IllegalArgumentException mistaken) {
            throw new CommandFailedException(String.valueOf(mistaken.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted");
        }
    }

    private static <T> T read(Path file, Function<String, T> reader) {
        var text = text(file);
        try {
            return reader.apply(text);
        } catch (InvalidDocumentException mistakes) {
            throw new CommandFailedException(
                    mistakes.flaws().stream().map(flaw -> file + ": " + flaw).toList());
        } catch (IllegalArgumentException mistaken) {
            throw new CommandFailedException(file + ": " + mistaken.getMessage());
        }
    }
}
