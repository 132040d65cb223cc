// Where hs-table's rows come from: all at hand (ClientPages), or a page at a time from the server (ServerPages).
// Both have `items`, `loading`, `error`, `summary`, `place`, `hasNext`, `hasPrevious`, `next`, `previous`, `reload`, `restart`.

import { count, number } from '../format.js';

const TYPING_MS = 200;

export class ClientPages {
  loading = false;
  error = null;
  #table;
  #found = [];
  #page = 0;

  constructor(table) {
    this.#table = table;
  }

  // New rows keep the reader on the page they are on; a new search or order starts at the first.
  refresh(changed) {
    if (changed.has('query') || changed.has('sort') || changed.has('pageSize')) this.#page = 0;
    this.#found = sorted(this.#matching(), this.#table.sort, this.#table.columns);
    this.#page = Math.max(0, Math.min(this.#page, this.#pageCount - 1));
  }

  reload() {}

  restart() {
    this.#page = 0;
    this.#table.requestUpdate();
  }

  get items() {
    const from = this.#page * this.#table.pageSize;
    return this.#found.slice(from, from + this.#table.pageSize);
  }

  get summary() {
    const all = this.#table.rows?.length ?? 0;
    return this.#found.length === all ? count(all, 'row') : `${number(this.#found.length)} of ${count(all, 'row')}`;
  }

  get place() {
    const from = this.#page * this.#table.pageSize;
    return `${number(from + 1)}–${number(from + this.items.length)} of ${number(this.#found.length)}`;
  }

  get hasNext() {
    return this.#page < this.#pageCount - 1;
  }

  get hasPrevious() {
    return this.#page > 0;
  }

  next() {
    this.#page += 1;
    this.#table.requestUpdate();
  }

  previous() {
    this.#page -= 1;
    this.#table.requestUpdate();
  }

  get #pageCount() {
    return Math.ceil(this.#found.length / this.#table.pageSize);
  }

  #matching() {
    const rows = this.#table.rows ?? [];
    const wanted = this.#table.query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return rows;
    return rows.filter((row) => {
      const text = this.#table.columns.map((column) => String(valueOf(column, row) ?? '')).join('\n').toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  }
}

export class ServerPages {
  items = [];
  loading = false;
  error = null;
  #table;
  #cursors = [null];
  #next = null;
  #running = null;
  #typing = null;

  constructor(table) {
    this.#table = table;
  }

  refresh(changed) {
    const asked = ['query', 'sort', 'pageSize'].some((name) => changed.has(name));
    if (this.#running !== null && !asked) return;
    this.#cursors = [null];
    clearTimeout(this.#typing);
    this.loading = true;
    this.#typing = setTimeout(() => this.reload(), changed.has('query') && this.#running !== null ? TYPING_MS : 0);
  }

  get summary() {
    return this.loading ? 'Loading…' : '';
  }

  get place() {
    return `Page ${number(this.#cursors.length)}`;
  }

  get hasNext() {
    return this.#next !== null && !this.loading;
  }

  get hasPrevious() {
    return this.#cursors.length > 1 && !this.loading;
  }

  next() {
    this.#cursors = [...this.#cursors, this.#next];
    this.reload();
  }

  previous() {
    this.#cursors = this.#cursors.slice(0, -1);
    this.reload();
  }

  // A cursor is of one question: whoever asks another begins at the first page.
  restart() {
    this.#cursors = [null];
    this.reload();
  }

  async reload() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.loading = true;
    this.#table.requestUpdate();
    const { query, sort, pageSize, source } = this.#table;
    try {
      const page = await source({ q: query, sort: sort?.key, descending: sort?.descending, cursor: this.#cursors.at(-1), limit: pageSize, signal: running.signal });
      if (running.signal.aborted) return;
      this.items = page.items ?? [];
      this.#next = page.next_cursor ?? null;
      this.error = null;
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error;
    }
    this.loading = false;
    this.#table.requestUpdate();
  }
}

// Rows without a value come last in either direction.
function sorted(rows, sort, columns) {
  const column = sort && columns.find(({ key }) => key === sort.key);
  if (!column) return rows;
  const direction = sort.descending ? -1 : 1;
  return rows.map((row) => ({ row, value: valueOf(column, row) })).sort((a, b) => compare(a.value, b.value, direction)).map(({ row }) => row);
}

const text = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a, b, direction) {
  const missing = (a === null || a === undefined) - (b === null || b === undefined);
  if (missing !== 0) return missing;
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b);
  return direction * text.compare(String(a ?? ''), String(b ?? ''));
}

function valueOf(column, row) {
  return column.value ? column.value(row) : row[column.key];
}
