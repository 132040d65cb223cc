package dev.hotstate.traffic;

/**
 * A method and a route that are counted together.
 *
 * @param id its place among the endpoints of this process, from 0
 * @param name {@code GET /users/{id}}
 * @param segment as it stands in keys
 */
record Endpoint(int id, String name, String segment) {
    /** What counts for every endpoint beyond the cap. */
    static final Endpoint OTHER = of(0, "other");

    static Endpoint of(int id, String name) {
        return new Endpoint(id, name, Names.segment(name));
    }
}
