package dev.hotstate.server.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A part of a list as it is answered; the cursor is null on the last one. */
public record Listing<T>(List<T> items, @Nullable String nextCursor) {
    public Listing {
        items = List.copyOf(items);
    }

    /**
     * The page of a ranking, of which all is at hand. Its figures move while one pages, so that no place among them
     * stays: the cursor is how many came before.
     */
    public static <T> Listing<T> ofRanking(List<T> all, Page page) {
        int from = Math.min(page.offset(), all.size());
        int to = Math.min(from + page.limit(), all.size());
        return new Listing<>(all.subList(from, to), to < all.size() ? Integer.toString(to) : null);
    }

    /** From one item more than was asked for: the surplus one tells that the list goes on after the last shown. */
    public static <T> Listing<T> of(List<T> oneMore, Page page, Function<T, String> cursor) {
        if (oneMore.size() <= page.limit()) {
            return new Listing<>(oneMore, null);
        }
        var items = oneMore.subList(0, page.limit());
        return new Listing<>(items, cursor.apply(items.getLast()));
    }
}
