package dev.hotstate.drivers;

import dev.hotstate.core.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a search in one region has come.
 *
 * @param mm drivers up to this distance, and at it up to {@code id}, were examined; -1 before the first
 * @param tiles where others may be, nearest first
 */
record Cursor(long mm, String id, List<Tile> tiles) {
    Cursor {
        tiles = List.copyOf(tiles);
    }

    static Cursor around(double lat, double lon, long radiusMm) {
        return new Cursor(-1, "", Tile.covering(lat, lon, radiusMm));
    }

    /**
     * How many tiles a call takes along, so that its size is bounded. Those of one distance are not parted: it could end
     * where it began.
     */
    int share(int most) {
        int share = Math.min(most, tiles.size());
        while (share > 0
                && share < tiles.size()
                && tiles.get(share).mm() == tiles.get(share - 1).mm()) {
            share++;
        }
        return share;
    }

    void addTo(List<String> args, int most, long radiusMm) {
        int share = share(most);
        args.add(Long.toString(mm));
        args.add(id);
        args.add(Long.toString(share < tiles.size() ? tiles.get(share).mm() : radiusMm + 1));
        for (Tile tile : tiles.subList(0, share)) {
            args.add(Long.toString(tile.score()));
            args.add(Integer.toString(tile.level()));
            args.add(Long.toString(tile.mm()));
        }
    }

    /** What a reply says from its {@code first} part on, and the tiles that the call did not take along. */
    Cursor after(Reply reply, int first, int most) {
        List<Tile> left = new ArrayList<>(tiles.subList(share(most), tiles.size()));
        List<String> parts = reply.list(first + 2);
        for (int i = 0; i < parts.size(); i += 3) {
            left.add(new Tile(
                    Long.parseLong(parts.get(i)),
                    Integer.parseInt(parts.get(i + 1)),
                    Long.parseLong(parts.get(i + 2))));
        }
        left.sort(Tile.BY_DISTANCE);
        return new Cursor(reply.number(first), reply.text(first + 1), left);
    }
}
