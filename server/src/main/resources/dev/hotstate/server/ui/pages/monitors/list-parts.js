// The monitors that a list shows, read a part of a hundred at a time and kept up to date: by what the server says has
// changed, and by reading again the parts that are looked at.
//
// `rows` are those read so far, each with `readAt`; a monitor that moved from part to part meanwhile is there once.
// `error` says that the last reading failed; what was read before stays, and it is for the list to call it old.

const BEATS = 30; // as many as the server keeps

export class ListParts {
  rows = [];
  error = null;
  loading = false;
  #host;
  #fetch;
  #parts = [];
  #running = null;

  /** @param fetch (cursor, signal) → {items, next_cursor} */
  constructor(host, fetch) {
    this.#host = host;
    this.#fetch = fetch;
    host.addController(this);
  }

  hostDisconnected() {
    this.#running?.abort();
    this.loading = false;
  }

  get begun() {
    return this.#parts.length > 0;
  }

  /** Whether there are no more to read. */
  get ended() {
    return this.#parts.at(-1)?.next === null;
  }

  /** From the start, for another question. What is there stays until the answer is. */
  begin() {
    return this.#ask(async (signal) => {
      this.#parts = [await this.#read(null, signal)];
    });
  }

  async more() {
    if (this.loading || this.ended || !this.begun) return;
    await this.#ask(async (signal) => {
      this.#parts = [...this.#parts, await this.#read(this.#parts.at(-1).next, signal)];
    });
  }

  /** Reads the parts again that hold the rows from one place to another; not while something is read already. */
  async refresh(from, to) {
    if (this.loading) return;
    if (!this.begun) return this.begin();
    const seen = new Set(this.rows.slice(from, to).map(({ id }) => id));
    await this.#ask(async (signal) => {
      for (let i = 0; i < this.#parts.length; i++) {
        const looked = this.#parts[i].items.some(({ id }) => seen.has(id)) || (i === 0 && seen.size === 0);
        if (looked) await this.#renew(i, signal);
      }
    });
  }

  /** Takes `items` of the event monitors.changed. */
  apply(items) {
    const changes = new Map(items.map((item) => [item.id, item]));
    this.#parts = this.#parts.map((part) => ({ ...part, items: part.items.map((row) => changed(row, changes.get(row.id))) }));
    this.#gather();
    this.#host.requestUpdate();
  }

  // The part behind begins where this one ends now.
  async #renew(i, signal) {
    const part = await this.#read(this.#parts[i].cursor, signal);
    this.#parts = this.#parts.with(i, part);
    if (part.next === null) this.#parts = this.#parts.slice(0, i + 1);
    else if (i + 1 < this.#parts.length) this.#parts = this.#parts.with(i + 1, { ...this.#parts[i + 1], cursor: part.next });
  }

  async #read(cursor, signal) {
    const { items, next_cursor: next } = await this.#fetch(cursor, signal);
    const readAt = Date.now();
    return { cursor, next: next ?? null, items: items.map((item) => ({ ...item, readAt })) };
  }

  async #ask(question) {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.loading = true;
    this.#host.requestUpdate();
    try {
      await question(running.signal);
      this.error = null;
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error;
    }
    if (this.#running !== running) return;
    this.loading = false;
    this.#gather();
    this.#host.requestUpdate();
  }

  #gather() {
    const seen = new Set();
    this.rows = this.#parts.flatMap(({ items }) => items).filter(({ id }) => !seen.has(id) && seen.add(id));
  }
}

// What was read is newer than news that were on their way meanwhile.
function changed(row, change) {
  if (!change || Date.parse(change.checked_at) <= Date.parse(row.checked_at)) return row;
  const { state, checked_at, latency_ms, failure_count, error = null } = change;
  const beats = [...(row.beats ?? []), [Date.parse(checked_at), state, latency_ms]].slice(-BEATS);
  return { ...row, state, checked_at, latency_ms, failure_count, error, beats };
}
