package dev.hotstate.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A Lua resource.
 *
 * @param name the file's, without its ending
 */
record LuaFile(String name, List<String> lines) {
    private static final String ENDING = ".lua";
    private static final String INCLUDE = "--@include ";

    /** All that stand in or below a folder, in every jar and folder of the class path. */
    static List<LuaFile> onTheClassPath(String folder) {
        try {
            var found = new ArrayList<LuaFile>();
            for (URL place : Collections.list(LuaFile.class.getClassLoader().getResources(folder))) {
                if (place.openConnection() instanceof JarURLConnection jar) {
                    var file = URI.create("jar:" + jar.getJarFileURL());
                    try (var inside = FileSystems.newFileSystem(file, Map.of())) {
                        found.addAll(below(inside.getPath(folder)));
                    }
                } else {
                    found.addAll(below(Path.of(URI.create(place.toString()))));
                }
            }
            return found;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A script begins with {@code #!lua}; what does not is a function to be included. */
    boolean isScript() {
        return lines.getFirst().startsWith("#!lua");
    }

    List<String> includes() {
        return lines.stream()
                .filter(line -> line.startsWith(INCLUDE))
                .map(line -> line.substring(INCLUDE.length()).strip())
                .toList();
    }

    private static List<LuaFile> below(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .map(LuaFile::read)
                    .toList();
        }
    }

    private static LuaFile read(Path file) {
        try {
            var name = file.getFileName().toString();
            return new LuaFile(name.substring(0, name.length() - ENDING.length()), Files.readAllLines(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
