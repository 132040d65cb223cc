package dev.hotstate.audit.report;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file that an audit was made by, so that a finding can be shown where its family is declared.
 *
 * @param path from the repository's root
 * @param text what is in it
 */
public record SchemaFile(String path, String text) {

    /** The line that names the family, the first being 1; that one too where no line does, or none is meant. */
    int lineOf(@Nullable String family) {
        if (family != null) {
            Pattern named = Pattern.compile("[\\s{-]*name:\\s*[\"']?" + Pattern.quote(family) + "[\"']?\\s*([,}#].*)?");
            List<String> lines = text.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (named.matcher(lines.get(i)).matches()) {
                    return i + 1;
                }
            }
        }
        return 1;
    }
}
