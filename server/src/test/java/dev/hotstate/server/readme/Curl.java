package dev.hotstate.server.readme;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A curl command of the documentation as a request of Java's own client: {@code -X}, {@code -H}, {@code -d} and a URL. */
record Curl(List<String> words) {
    private static final String SHOWN = "http://127.0.0.1:8080";
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    // A word is bare, or stands in single quotes and may go over lines; a command ends where a line does outside
    // quotes.
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)|(\\n)");

    /** Every curl command in the shell blocks of a Markdown text. */
    static List<Curl> in(String markdown) {
        List<Curl> commands = new ArrayList<>();
        for (var block : BLOCK.matcher(markdown).results().toList()) {
            List<String> words = new ArrayList<>();
            for (var word : WORD.matcher(block.group(1) + "\n").results().toList()) {
                if (word.group(3) == null) {
                    words.add(word.group(1) == null ? word.group(2) : word.group(1));
                } else if (!words.isEmpty()) {
                    commands.add(new Curl(List.copyOf(words)));
                    words.clear();
                }
            }
        }
        return commands.stream()
                .filter(command -> command.words.getFirst().equals("curl"))
                .toList();
    }

    /** The request, to a server that listens elsewhere than the documentation says. */
    HttpRequest to(String url) {
        var request = HttpRequest.newBuilder();
        var method = "GET";
        var body = HttpRequest.BodyPublishers.noBody();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-X" -> method = words.get(++i);
                case "-H" -> request.headers(words.get(++i).split(":\\s*", 2));
                case "-d" -> {
                    method = method.equals("GET") ? "POST" : method;
                    body = HttpRequest.BodyPublishers.ofString(words.get(++i));
                }
                default -> request.uri(URI.create(words.get(i).replace(SHOWN, url)));
            }
        }
        return request.method(method, body).build();
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
