// The uptimes of the monitors that are looked at: asked for many at once, when the list has stood still for a moment,
// and again after a minute.

import { api } from '../../api.js';

const STILL_MS = 250;
const FRESH_MS = 60_000;
const MOST = 100;

export class Uptimes {
  #host;
  #known = new Map();
  #wanted = [];
  #timer = null;

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** In percent over the last 24 hours; null where nothing is known, undefined where it was not asked yet. */
  of(id) {
    return this.#known.get(id)?.day;
  }

  /** These are looked at now. */
  want(ids) {
    this.#wanted = ids;
    this.#timer ??= setTimeout(() => this.#ask(), STILL_MS);
  }

  async #ask() {
    const fresh = Date.now() - FRESH_MS;
    const ids = this.#wanted.filter((id) => !(this.#known.get(id)?.at > fresh)).slice(0, MOST);
    try {
      if (ids.length > 0) this.#take(ids, await api.get('/monitors/uptime', { query: { ids: ids.join(',') } }));
    } catch {
      // PostgreSQL is away: what is known stays, and it is asked again as the list moves on.
    }
    this.#timer = null;
  }

  #take(ids, { items }) {
    const at = Date.now();
    for (const id of ids) this.#known.set(id, { at, day: null });
    for (const { id, uptime } of items) this.#known.set(id, { at, day: uptime['24h'] ?? null });
    this.#host.requestUpdate();
  }
}
