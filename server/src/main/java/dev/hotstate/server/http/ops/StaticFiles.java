package dev.hotstate.server.http.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The dashboard's files: its own from {@code dev/hotstate/server/ui/}, and those of the few libraries it uses from their
 * jars. A path is words joined by single slashes, none beginning with a dot, so it cannot lead anywhere else; only what
 * exists is kept in memory.
 */
final class StaticFiles {
    private static final String OWN = "dev/hotstate/server/ui/";
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    // The libraries, with the Maven coordinates under which their jars tell their versions.
    private static final Map<String, String> LIBRARIES = Map.of(
            "lit", "org.mvnpm/lit",
            "lit-html", "org.mvnpm/lit-html",
            "lit-element", "org.mvnpm/lit-element",
            "reactive-element", "org.mvnpm.at.lit/reactive-element",
            "echarts", "org.mvnpm/echarts");

    private final ClassLoader resources;
    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();
    private final Map<String, String> libraryFolders = new ConcurrentHashMap<>();

    StaticFiles(ClassLoader resources) {
        this.resources = resources;
    }

    Optional<StaticFile> own(String path) {
        return PATH.matcher(path).matches() ? file(OWN + path) : Optional.empty();
    }

    /** @param path the library's name, then the path within it */
    Optional<StaticFile> library(String path) {
        int slash = path.indexOf('/');
        var name = slash < 0 ? path : path.substring(0, slash);
        if (!LIBRARIES.containsKey(name) || !PATH.matcher(path).matches()) {
            return Optional.empty();
        }
        return file(libraryFolders.computeIfAbsent(name, this::libraryFolder) + path.substring(slash + 1));
    }

    private Optional<StaticFile> file(String resource) {
        var known = files.get(resource);
        if (known != null) {
            return Optional.of(known);
        }
        var type = StaticFile.typeOf(resource);
        var loaded = type.flatMap(contentType -> read(resource).map(bytes -> StaticFile.of(contentType, bytes)));
        loaded.ifPresent(file -> files.put(resource, file));
        return loaded;
    }

    private String libraryFolder(String name) {
        var properties = new Properties();
        var resource = "META-INF/maven/" + LIBRARIES.get(name) + "/pom.properties";
        try (var in = resources.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the library " + name + " is not on the class path");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "META-INF/resources/_static/" + name + "/" + properties.getProperty("version") + "/";
    }

    private Optional<byte[]> read(String resource) {
        try (var in = resources.getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
