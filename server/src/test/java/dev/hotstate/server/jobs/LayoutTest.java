package dev.hotstate.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Function<Graph, Picture> ELK =
            graph -> ElkLayout.of(graph).orElseThrow();

    @Test
    void aTaskStandsRightOfAllThatItNeeds() {
        var graph = random(60, 3);
        for (Function<Graph, Picture> layout : List.of(ELK, LayerLayout::of)) {
            var picture = layout.apply(graph);
            for (int task = 0; task < graph.size(); task++) {
                for (int need : graph.needs(task)) {
                    assertThat(picture.x()[need] + Picture.WIDTH).isLessThan(picture.x()[task]);
                }
            }
        }
    }

    @Test
    void noTwoTasksCoverEachOther() {
        for (Function<Graph, Picture> layout : List.of(ELK, LayerLayout::of)) {
            var picture = layout.apply(random(60, 2));
            Map<Double, List<Double>> columns = new HashMap<>();
            for (int task = 0; task < 60; task++) {
                columns.computeIfAbsent(picture.x()[task], x -> new ArrayList<>())
                        .add(picture.y()[task]);
            }
            columns.values().forEach(column -> {
                column.sort(null);
                for (int i = 1; i < column.size(); i++) {
                    assertThat(column.get(i) - column.get(i - 1)).isGreaterThanOrEqualTo(Picture.HEIGHT);
                }
            });
        }
    }

    @Test
    void everythingIsWithinThePicture() {
        for (Function<Graph, Picture> layout : List.of(ELK, LayerLayout::of)) {
            var picture = layout.apply(random(40, 2));
            for (int task = 0; task < 40; task++) {
                assertThat(picture.x()[task]).isBetween(0.0, picture.width() - Picture.WIDTH);
                assertThat(picture.y()[task]).isBetween(0.0, picture.height() - Picture.HEIGHT);
            }
        }
    }

    @Test
    void aLoneTaskIsAPictureOfItsOwnSize() {
        for (Function<Graph, Picture> layout : List.of(ELK, LayerLayout::of)) {
            var picture = layout.apply(random(1, 0));
            assertThat(picture.width()).isEqualTo(Picture.WIDTH);
            assertThat(picture.height()).isEqualTo(Picture.HEIGHT);
        }
    }

    @Test
    void aJobOfManyTasksOrOfLongEdgesIsLaidOutPlainly() {
        assertThat(ElkLayout.fits(random(300, 2))).isTrue();
        assertThat(ElkLayout.fits(random(ElkLayout.MOST_TASKS + 1, 1))).isFalse();
        assertThat(ElkLayout.fits(chainWithShortcuts(400))).isFalse();
    }

    @Test
    void aLayerOfManyTasksIsFoldedSoThatTheWholeHasTheShapeOfAScreen() {
        for (int wide : List.of(100, 2_000, 50_000)) {
            var graph = fan(wide);
            var picture = new Pictures().of(graph, 1);
            assertThat(picture.width() / picture.height()).as("%d", wide).isBetween(0.2, 5.0);
            var places = new HashSet<String>();
            for (int task = 1; task <= wide; task++) {
                places.add(picture.x()[task] + " " + picture.y()[task]);
                assertThat(picture.x()[task]).isBetween(Picture.COLUMN, picture.x()[wide + 1] - Picture.COLUMN);
            }
            assertThat(places).hasSize(wide);
        }
    }

    @Test
    void aPictureIsDrawnOnceForAnEpoch() {
        var pictures = new Pictures();
        var graph = random(10, 1);
        assertThat(pictures.of(graph, 1)).isSameAs(pictures.of(graph, 1)).isNotSameAs(pictures.of(graph, 2));
    }

    /** Each task needs some of those shortly before it. */
    private static Graph random(int tasks, int needs) {
        var chance = new Random(7);
        var all = new ArrayList<String>();
        for (int task = 0; task < tasks; task++) {
            var needed = new TreeSet<String>();
            for (int i = 0; i < needs && task > 0; i++) {
                needed.add("\"t" + Math.max(0, task - 1 - chance.nextInt(8)) + "\"");
            }
            all.add("{\"id\":\"t" + task + "\",\"needs\":[" + String.join(",", needed) + "]}");
        }
        return graph(all);
    }

    /** One task, many that need it, and one that needs those. */
    private static Graph fan(int wide) {
        var all = new ArrayList<>(List.of("{\"id\":\"first\"}"));
        var needs = new ArrayList<String>();
        for (int task = 0; task < wide; task++) {
            all.add("{\"id\":\"t" + task + "\",\"needs\":[\"first\"]}");
            needs.add("\"t" + task + "\"");
        }
        all.add("{\"id\":\"last\",\"needs\":[" + String.join(",", needs) + "]}");
        return graph(all);
    }

    private static Graph chainWithShortcuts(int tasks) {
        var all = new ArrayList<String>();
        for (int task = 0; task < tasks; task++) {
            var needs = task == 0 ? "" : task == 1 ? "\"t0\"" : "\"t0\",\"t" + (task - 1) + "\"";
            all.add("{\"id\":\"t" + task + "\",\"needs\":[" + needs + "]}");
        }
        return graph(all);
    }

    private static Graph graph(List<String> tasks) {
        String job = "{\"id\":\"drawn\",\"name\":\"drawn\",\"tasks\":[" + String.join(",", tasks) + "]}";
        return JobDocument.json(job.getBytes(StandardCharsets.UTF_8));
    }
}
