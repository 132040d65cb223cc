package dev.hotstate.server.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the embedded servers, held by one process at a time. The lock is the kernel's, so it ends with the
 * process however that ends; the pid beside it only lets a message name the holder.
 */
final class DataFolder implements AutoCloseable {
    /** What this process holds: the kernel's lock does not keep a process out of its own files. */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path root;
    private @Nullable FileLock lock;

    private DataFolder(Path root) {
        this.root = root;
    }

    /**
     * Makes the folder if need be.
     *
     * @throws EmbeddedServerException if it cannot be made or written
     */
    static DataFolder at(Path path) {
        var folder = path.toAbsolutePath().normalize();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new EmbeddedServerException(
                    folder + " is a file, not a folder; give another data folder with --data");
        }
        try {
            Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
            return new DataFolder(folder.toRealPath());
        } catch (IOException refused) {
            throw unwritable(folder, refused);
        }
    }

    /** Takes the folder for this process, unless another one holds it. */
    boolean tryHold() {
        if (!HELD_HERE.add(root)) {
            return false;
        }
        try {
            var channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock = channel.tryLock();
            if (lock != null) {
                Files.writeString(
                        root.resolve("pid"),
                        Long.toString(ProcessHandle.current().pid()));
                return true;
            }
            channel.close();
        } catch (IOException refused) {
            HELD_HERE.remove(root);
            throw unwritable(root, refused);
        }
        HELD_HERE.remove(root);
        return false;
    }

    /** The live process that wrote its pid here last. */
    Optional<Long> holder() {
        return ServerProcess.named(root.resolve("pid")).map(ProcessHandle::pid);
    }

    /** A sub-folder, made if need be. */
    Path folder(String name) {
        try {
            var folder = root.resolve(name);
            return Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        } catch (IOException refused) {
            throw unwritable(root, refused);
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }

    @Override
    public void close() {
        if (lock == null) {
            return;
        }
        try {
            Files.deleteIfExists(root.resolve("pid"));
            lock.channel().close();
        } catch (IOException gone) {
            throw unwritable(root, gone);
        } finally {
            lock = null;
            HELD_HERE.remove(root);
        }
    }

    /** The number that a file of one line holds, if it does. */
    static Optional<Long> number(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .map(String::strip)
                    .filter(line -> line.matches("\\d{1,18}"))
                    .map(Long::valueOf);
        } catch (IOException | UncheckedIOException absent) {
            return Optional.empty();
        }
    }

    /** The attribute that keeps others out, where the file system knows it. */
    static FileAttribute<?>[] ownerOnly(Path place, String permissions) {
        boolean posix = place.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static EmbeddedServerException unwritable(Path folder, IOException cause) {
        var reason = cause instanceof AccessDeniedException
                ? "access is denied"
                : cause instanceof FileSystemException known && known.getReason() != null
                        ? known.getReason()
                        : String.valueOf(cause.getMessage());
        return new EmbeddedServerException(
                "cannot write the data folder " + folder + " (" + reason + "); give another one with --data", cause);
    }
}
