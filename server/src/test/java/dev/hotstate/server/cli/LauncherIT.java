package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the launcher itself in a project, a home and a PATH of its own. JDKs and Maven are scripts that tell how they were
 * called; the usual places of JDKs are moved below the temporary folder, so that this machine's are never seen.
 */
class LauncherIT {
    private static final List<String> TOOLS =
            List.of("sh", "sed", "dirname", "readlink", "find", "head", "mkdir", "mv", "rm", "tr", "touch", "sleep");

    @TempDir
    Path place;

    private Path project;
    private Path programs;
    private Path home;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void makeAProject() throws IOException {
        project = Files.createDirectories(place.resolve("a project"));
        programs = Files.createDirectories(place.resolve("programs"));
        home = Files.createDirectories(place.resolve("home"));
        var launcher = Files.readString(Path.of("..", "hotstate"));
        write(
                project.resolve("hotstate"),
                launcher.replaceAll("(?m)(?<=[' ])/(?=(usr|opt|Library)/\\S*)", place + "/"));
        Files.writeString(project.resolve("pom.xml"), "<project/>");
        Files.createDirectories(project.resolve("server/src/main"));
        for (var tool : TOOLS) {
            Files.createSymbolicLink(programs.resolve(tool), find(tool));
        }
        write(programs.resolve("mvn"), """
                #!/bin/sh
                echo "mvn $*" >>"$HOME/calls"
                echo '[INFO] Building hotstate core 0.1.0                                       [1/2]'
                mkdir -p server/target/lib
                touch server/target/hotstate-server-0.1.0.jar
                printf 'a line without an end'
                """);
        environment.put("PATH", programs.toString());
        environment.put("HOME", home.toString());
    }

    @Test
    void withoutAJdkItSaysSoInOneSentence() throws Exception {
        var run = run("up");

        assertThat(run.exit).isEqualTo(2);
        assertThat(run.errors)
                .containsExactly("hotstate: no JDK 21 or later was found; install one, or name its folder in"
                        + " HOTSTATE_JAVA_HOME.");
        assertThat(home.resolve("calls")).doesNotExist();
    }

    @Test
    void anOlderJdkOnThePathIsPassedOverForANewerOneElsewhere() throws Exception {
        var old = jdk("old", "17.0.1");
        Files.createSymbolicLink(programs.resolve("java"), old.resolve("bin/java"));
        environment.put("JAVA_HOME", jdk("older", "1.8.0_402").toString());
        jdk("usr/lib/jvm/jdk-21", "21.0.2");
        var newest = jdk("home/.sdkman/candidates/java/25", "25");
        jdk("opt/java/22", "22.0.1");

        assertThat(run("up").output).first().asString().startsWith("java of " + newest + " ");
    }

    @Test
    void javaHomeComesBeforeThePathAndOurOwnVariableBeforeAll() throws Exception {
        var onPath = jdk("on path", "24");
        Files.createSymbolicLink(programs.resolve("java"), onPath.resolve("bin/java"));
        assertThat(run("up").output).first().asString().startsWith("java of " + onPath + " ");

        var javaHome = jdk("java home", "21.0.1");
        environment.put("JAVA_HOME", javaHome.toString());
        assertThat(run("up").output).first().asString().startsWith("java of " + javaHome + " ");

        var ours = jdk("ours", "22");
        environment.put("HOTSTATE_JAVA_HOME", ours.toString());
        assertThat(run("up").output).first().asString().startsWith("java of " + ours + " ");
    }

    @Test
    void aJdkWithoutAReleaseFileIsAsked() throws Exception {
        var jdk = jdk("silent", "21.0.1");
        Files.delete(jdk.resolve("release"));
        environment.put("JAVA_HOME", jdk.toString());

        assertThat(run("up").exit).isZero();
    }

    @Test
    void ourOwnVariableThatNamesNoSuitableJdkIsRefused() throws Exception {
        environment.put("HOTSTATE_JAVA_HOME", jdk("ours", "17.0.9").toString());

        var run = run("up");

        assertThat(run.exit).isEqualTo(2);
        assertThat(run.errors)
                .containsExactly(
                        "hotstate: HOTSTATE_JAVA_HOME is " + place.resolve("ours") + ", which is no JDK 21 or later.");
    }

    @Test
    void argumentsReachTheProgramAsTheyAreAlsoThroughALinkFromElsewhere() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        var link = Files.createSymbolicLink(place.resolve("link"), Path.of("a project", "hotstate"));

        var run = run(link, List.of("up", "--data", "a b", "$HOME", ""));

        assertThat(run.exit).isZero();
        assertThat(run.output)
                .contains("<dev.hotstate.server.cli.Main>", "<a b>", "<$HOME>", "<>")
                .contains("<" + project.toRealPath() + "/server/target/hotstate-server-0.1.0.jar:"
                        + project.toRealPath() + "/server/target/lib/*>");
    }

    @Test
    void newerJdksGetTheOptionsThatKeepThemQuietAndOlderOnesDoNot() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        assertThat(run("up").output).doesNotContain("<--sun-misc-unsafe-memory-access=allow>");

        environment.put("JAVA_HOME", jdk("newer", "25").toString());
        assertThat(run("up").output).contains("<--sun-misc-unsafe-memory-access=allow>");
    }

    @Test
    void onlyTheServerUsesTheArchiveThatMakesItsStartQuick() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        var archive = "<-XX:SharedArchiveFile=" + project.toRealPath() + "/server/target/up.jsa>";

        assertThat(run("up").output).contains(archive);
        assertThat(run("doctor").output).doesNotContain(archive);
    }

    @Test
    void itBuildsOnceAndAgainWhenASourceIsNewer() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());

        assertThat(run("up").errors)
                .containsExactly("Building hotstate (first start only) ...", "  hotstate core 0.1.0 [1/2]");
        assertThat(run("up").errors).isEmpty();
        assertThat(calls()).hasSize(1);

        var source = Files.createFile(project.resolve("server/src/main/New.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(run("up").errors).first().isEqualTo("Building hotstate, for its sources have changed ...");
        assertThat(calls()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flock", "mkdir"})
    void ofTwoStartsAtOnceOneBuildsAndTheOtherWaitsForIt(String lockedBy) throws Exception {
        lockBy(lockedBy);
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        var built = programs.resolve("mvn");
        var go = home.resolve("go");
        write(
                built,
                Files.readString(built)
                        .replace("echo '[INFO]", "while [ ! -e \"$HOME/go\" ]; do sleep 0.1; done; echo '[INFO]"));

        var first = begin("first", project.resolve("hotstate"), List.of("up"));
        Eventually.until("the first one builds", () -> Files.exists(home.resolve("calls")));
        var second = begin("second", project.resolve("hotstate"), List.of("up"));
        Eventually.until("the second one waits", () -> !second.errors().isEmpty());
        Files.createFile(go);

        assertThat(first.await().exit).isZero();
        var waited = second.await();
        assertThat(waited.exit).isZero();
        assertThat(waited.output).first().asString().startsWith("java of ");
        assertThat(waited.errors).containsExactly("Waiting for the build that another hotstate has begun ...");
        assertThat(calls()).hasSize(1);
    }

    @Test
    void theLockOfOneThatWasKilledIsTaken() throws Exception {
        lockBy("mkdir");
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        var gone = new ProcessBuilder("true").start();
        gone.waitFor();
        var lock = Files.createDirectories(project.resolve("target/launcher.lock.d"));
        Files.writeString(lock.resolve("pid"), gone.pid() + "\n");

        assertThat(run("up").exit).isZero();
        assertThat(calls()).hasSize(1);
        assertThat(lock).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"flock", "mkdir"})
    void aFailedBuildLeavesNoLock(String lockedBy) throws Exception {
        lockBy(lockedBy);
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        var mvn = Files.readString(programs.resolve("mvn"));
        write(programs.resolve("mvn"), "#!/bin/sh\nexit 1\n");
        assertThat(run("up").exit).isEqualTo(2);
        write(programs.resolve("mvn"), mvn);

        assertThat(run("up").exit).isZero();
    }

    @Test
    void aFailedBuildIsToldAndNotTakenForDone() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        write(programs.resolve("mvn"), "#!/bin/sh\necho '[ERROR] does not compile'\nexit 1\n");

        for (int attempt = 0; attempt < 2; attempt++) {
            var run = run("up");
            assertThat(run.exit).isEqualTo(2);
            assertThat(run.errors)
                    .contains("  [ERROR] does not compile")
                    .last()
                    .asString()
                    .startsWith("hotstate: the build failed; ");
            assertThat(run.output).isEmpty();
        }
    }

    @Test
    void withoutMavenItSaysSo() throws Exception {
        environment.put("JAVA_HOME", jdk("jdk", "21").toString());
        Files.delete(programs.resolve("mvn"));

        var run = run("up");

        assertThat(run.exit).isEqualTo(2);
        assertThat(run.errors)
                .containsExactly("hotstate: Maven (mvn) is not installed; it is needed to build hotstate once.");
    }

    /** Systems have the one or the other. */
    private void lockBy(String tool) throws IOException {
        if (tool.equals("flock")) {
            Files.createSymbolicLink(programs.resolve(tool), find(tool));
        }
    }

    private Path jdk(String name, String version) throws IOException {
        var jdk = Files.createDirectories(place.resolve(name));
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        write(jdk.resolve("bin/java"), """
                #!/bin/sh
                if [ "$1" = -version ]; then echo 'openjdk version "%s" 2024-01-01' >&2; exit; fi
                echo "java of %s is called"
                for word in "$@"; do echo "<$word>"; done
                """.formatted(version, jdk));
        return jdk;
    }

    private static void write(Path script, String text) throws IOException {
        Files.writeString(script, text);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private static Path find(String tool) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(home.resolve("calls"));
    }

    private Run run(String... arguments) throws IOException, InterruptedException {
        return run(project.resolve("hotstate"), List.of(arguments));
    }

    private Run run(Path launcher, List<String> arguments) throws IOException, InterruptedException {
        return begin("only", launcher, arguments).await();
    }

    private Begun begin(String name, Path launcher, List<String> arguments) throws IOException {
        var command = new ArrayList<String>(List.of(launcher.toString()));
        command.addAll(arguments);
        var errors = place.resolve(name + " errors");
        var output = place.resolve(name + " output");
        var builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectError(errors.toFile())
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new Begun(builder.start(), output, errors);
    }

    private record Begun(Process process, Path outputFile, Path errorFile) {
        Run await() throws IOException, InterruptedException {
            return new Run(process.waitFor(), Files.readAllLines(outputFile), errors());
        }

        List<String> errors() {
            try {
                return Files.readAllLines(errorFile);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    private record Run(int exit, List<String> output, List<String> errors) {}
}
