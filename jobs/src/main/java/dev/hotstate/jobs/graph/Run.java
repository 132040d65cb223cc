package dev.hotstate.jobs.graph;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who does a task, and what. */
public sealed interface Run {

    /** Which ready set of its queue the task waits in: workers take from those that they can do. */
    String lane();

    /** Somebody who asks for tasks: over HTTP, or as a Java worker of queues. */
    record External() implements Run {
        public static final String LANE = "worker";

        @Override
        public String lane() {
            return LANE;
        }
    }

    /** A handler of this name in a Java worker. */
    record Handler(String name) implements Run {
        @Override
        public String lane() {
            return "h." + name;
        }
    }

    /** A command that the server runs, where that is enabled. */
    record Shell(String command) implements Run {
        public static final String LANE = "shell";

        @Override
        public String lane() {
            return LANE;
        }
    }

    /** A request that the server makes; an answer of 2xx is success, and its body the result. */
    record Http(
            String method,
            String url,
            Map<String, String> headers,
            @Nullable String body) implements Run {
        public static final String LANE = "http";

        public Http {
            headers = Map.copyOf(headers);
        }

        @Override
        public String lane() {
            return LANE;
        }
    }
}
