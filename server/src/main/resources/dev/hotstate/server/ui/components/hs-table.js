// A table with search, sorting, paging, rows that open, and the keyboard.
//
//   <hs-table label="Monitors" .columns=${columns} .rows=${rows} .rowKey=${(m) => m.id} .detail=${(m) => html`…`}></hs-table>
//   <hs-table label="Jobs" .columns=${columns} .source=${({ q, sort, cursor, limit, signal }) => api.get('/jobs', { query: { q, sort, cursor, limit }, signal })}>
//
// columns   [{ key, label, render?(row), value?(row), numeric?, sortable? = true with rows, needs? }]
//           `value` sorts and is searched (default row[key]); `render` is what is seen. `needs: 'medium' | 'wide'` hides
//           the column where the table has less than 560 or 860 px. The first column names the row.
// rows      all of them: search, sorting and paging happen here, and 10,000 rows stay fluid since one page is drawn
// source    or: a page at a time from the server, `{items, next_cursor}`; sorting is then passed on as `sort` and
//           `descending`. Another function does not by itself load anew (a template makes one each time): call reload()
// detail    what an open row shows below itself; without it rows do not open
// rowKey    what tells a row from another, so that open rows and the focus survive a reload (default row.id)
// pageSize  25; `placeholder` of the search box; `noSearch` takes it away; `empty` a text or template for no rows at all
//
// Fires `activate` (detail: the row) on Enter or a click of a row that has no `detail`, if `activates` is set.
// Keys on a row: up, down, Home, End move; Enter or Space opens; Page Up and Page Down turn the page.

import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { number } from '../format.js';
import { LightElement } from './light.js';
import { ClientPages, ServerPages } from './table-pages.js';
import './hs-icon.js';
import './hs-notice.js';

class HsTable extends LightElement {
  static properties = {
    label: {},
    columns: { attribute: false },
    rows: { attribute: false },
    source: { attribute: false },
    detail: { attribute: false },
    rowKey: { attribute: false },
    empty: {},
    pageSize: { type: Number },
    placeholder: {},
    noSearch: { type: Boolean },
    activates: { type: Boolean },
    query: { state: true },
    sort: { attribute: false },
    open: { state: true },
    current: { state: true },
  };

  static styles = css`
    hs-table { display: block; container: hs-table / inline-size; }
    .hs-table-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; margin-block-end: 0.75rem; }
    .hs-table-search { position: relative; flex: 0 1 20rem; }
    .hs-table-search input { inline-size: 100%; padding-inline-start: 2.1rem; }
    .hs-table-search hs-icon { position: absolute; inset: 0 auto 0 0.65rem; align-items: center; color: var(--ink-faint); --icon-size: 16px; pointer-events: none; }
    .hs-table-count { margin-inline-start: auto; font-size: var(--small); color: var(--ink-faint); }
    .hs-table-scroll { overflow: clip; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
    hs-table table { inline-size: 100%; border-collapse: separate; border-spacing: 0; font-size: 0.875rem; }
    hs-table thead th { position: sticky; inset-block-start: var(--bar, 0); z-index: 2; padding: 0; border-block-end: 1px solid var(--line); background: var(--surface); text-align: start; font-weight: 550; color: var(--ink-faint); white-space: nowrap; }
    hs-table thead th > span, hs-table thead button { display: inline-flex; align-items: center; gap: 0.3rem; min-block-size: 2.5rem; padding: 0 0.85rem; font-size: var(--small); }
    hs-table thead button { border: 0; border-radius: 0; background: none; color: inherit; font-weight: inherit; }
    hs-table thead button:hover { color: var(--ink); }
    hs-table thead [aria-sort] button { color: var(--ink); }
    hs-table thead button { position: relative; }
    hs-table thead button::after { content: "↓"; position: absolute; inset-inline-end: 0.05rem; opacity: 0; font-size: 0.75rem; }
    hs-table thead .numeric button::after { inset-inline: 0.05rem auto; }
    hs-table thead button:hover::after { opacity: 0.5; }
    hs-table thead [aria-sort="descending"] button::after { opacity: 1; }
    hs-table thead [aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
    hs-table tbody td, hs-table tbody th { padding: 0.65rem 0.85rem; border-block-end: 1px solid var(--line); text-align: start; font-weight: inherit; vertical-align: top; overflow-wrap: anywhere; }
    hs-table tbody th { min-inline-size: 7rem; }
    hs-table tbody tr:last-child > * { border-block-end: 0; }
    hs-table .numeric { text-align: end; white-space: nowrap; }
    hs-table tbody tr.row { transition: background var(--quick); }
    hs-table tbody tr.row.opens { cursor: pointer; }
    hs-table tbody tr.row:hover { background: var(--sunken); }
    hs-table tbody tr.row.is-open > * { border-block-end-color: transparent; }
    hs-table tbody tr.row:focus-visible { outline-offset: -2px; }
    hs-table td.opener { inline-size: 2.25rem; padding-inline: 0.6rem 0; }
    hs-table td.opener button { inline-size: 1.5rem; min-block-size: 1.5rem; padding: 0; border: 0; background: none; color: var(--ink-faint); }
    hs-table td.opener hs-icon { --icon-size: 14px; transition: rotate var(--quick); }
    hs-table tr.is-open td.opener hs-icon { rotate: 90deg; }
    hs-table tr.detail > td { padding: 0.25rem 1.25rem 1.5rem 3.1rem; }
    .hs-table-pages { display: flex; align-items: center; justify-content: flex-end; gap: 0.5rem; margin-block-start: 0.75rem; font-size: var(--small); color: var(--ink-faint); }
    @container hs-table (width < 860px) { .needs-wide { display: none; } }
    @container hs-table (width < 560px) {
      .needs-medium { display: none; }
      .hs-table-search { flex: 1 1 100%; }
      .hs-table-scroll { overflow-x: auto; }
      hs-table tr.detail > td { padding-inline-start: 1.25rem; }
      hs-table tbody td, hs-table tbody th, hs-table thead th > span, hs-table thead button { padding-inline: 0.65rem; }
      hs-table td.opener { padding-inline: 0.35rem 0; }
    }
  `;

  #pages = null;
  #focusAfter = null;

  constructor() {
    super();
    this.rows = [];
    this.columns = [];
    this.query = '';
    this.open = new Set();
    this.pageSize = 25;
  }

  willUpdate(changed) {
    if (this.#pages === null) this.#pages = this.source ? new ServerPages(this) : new ClientPages(this);
    if (['rows', 'columns', 'source', 'query', 'sort', 'pageSize'].some((name) => changed.has(name))) this.#pages.refresh(changed);
  }

  /** Reads the present page again from `source`. */
  reload() {
    this.#pages?.reload();
  }

  /** Reads the first page from `source`, which answers another question by now. */
  restart() {
    this.#pages?.restart();
  }

  render() {
    const { items, error, loading } = this.#pages;
    return html`
      ${this.#bar()}
      ${error ? html`<hs-error .error=${error} @retry=${() => this.reload()}></hs-error>` : nothing}
      <div class="hs-table-scroll" aria-busy=${loading ? 'true' : 'false'}>
        ${items.length === 0 ? this.#nothingToShow() : this.#table(items)}
      </div>
      ${this.#turner()}
    `;
  }

  #bar() {
    if (this.noSearch) return nothing;
    return html`
      <div class="hs-table-bar">
        <div class="hs-table-search">
          <hs-icon name="search"></hs-icon>
          <input type="search" aria-label="Search ${this.label}" placeholder=${this.placeholder ?? 'Search'} .value=${this.query} @input=${this.#searched} />
        </div>
        <p class="hs-table-count" role="status">${this.#pages.summary}</p>
      </div>
    `;
  }

  #nothingToShow() {
    if (this.#pages.loading) return html`<hs-loading></hs-loading>`;
    if (this.#pages.error) return nothing;
    if (this.query) return html`<hs-empty heading="Nothing matches" icon="search">No row contains “${this.query}”.</hs-empty>`;
    return typeof this.empty === 'object' ? this.empty : html`<hs-empty heading=${this.empty ?? 'Nothing here yet'}></hs-empty>`;
  }

  #table(items) {
    const current = items.some((row) => this.#key(row) === this.current) ? this.current : this.#key(items[0]);
    return html`
      <table aria-label=${this.label}>
        <thead>
          <tr>
            ${this.detail ? html`<th><span class="visually-hidden">Open</span></th>` : nothing}
            ${this.columns.map((column) => this.#heading(column))}
          </tr>
        </thead>
        <tbody @keydown=${this.#pressed}>
          ${repeat(items, (row) => this.#key(row), (row) => this.#row(row, this.#key(row) === current))}
        </tbody>
      </table>
    `;
  }

  #heading(column) {
    const sorted = this.sort?.key === column.key ? (this.sort.descending ? 'descending' : 'ascending') : nothing;
    const sortable = column.sortable ?? !this.source;
    return html`
      <th scope="col" class=${look(column)} aria-sort=${sorted}>
        ${sortable ? html`<button @click=${() => this.#sortBy(column)}>${column.label}</button>` : html`<span>${column.label}</span>`}
      </th>
    `;
  }

  #row(row, current) {
    const key = this.#key(row);
    const open = this.open.has(key);
    const opens = this.detail || this.activates;
    return html`
      <tr class="row ${opens ? 'opens' : ''} ${open ? 'is-open' : ''}" tabindex=${current ? 0 : -1} data-key=${key} @focus=${() => (this.current = key)} @click=${(event) => this.#clicked(event, row)}>
        ${this.detail ? this.#opener(row, open) : nothing}
        ${this.columns.map((column, i) => i === 0
          ? html`<th scope="row" class=${look(column)}>${cell(column, row)}</th>`
          : html`<td class=${look(column)}>${cell(column, row)}</td>`)}
      </tr>
      ${open ? html`<tr class="detail"><td colspan=${this.columns.length + 1}>${this.detail(row)}</td></tr>` : nothing}
    `;
  }

  #opener(row, open) {
    const name = this.columns[0] ? value(this.columns[0], row) : this.#key(row);
    return html`<td class="opener"><button tabindex="-1" aria-expanded=${open} aria-label="Details of ${name}"><hs-icon name="chevron"></hs-icon></button></td>`;
  }

  #turner() {
    const { hasPrevious, hasNext, place } = this.#pages;
    if (!hasPrevious && !hasNext) return nothing;
    return html`
      <nav class="hs-table-pages" aria-label="Pages of ${this.label}">
        <span>${place}</span>
        <button class="icon" aria-label="Previous page" ?disabled=${!hasPrevious} @click=${() => this.#pages.previous()}><hs-icon name="left"></hs-icon></button>
        <button class="icon" aria-label="Next page" ?disabled=${!hasNext} @click=${() => this.#pages.next()}><hs-icon name="right"></hs-icon></button>
      </nav>
    `;
  }

  updated() {
    if (this.#focusAfter === null || this.#pages.loading) return;
    const rows = this.#rowElements();
    (this.#focusAfter === 'first' ? rows[0] : rows.at(-1))?.focus();
    this.#focusAfter = null;
  }

  #searched(event) {
    this.query = event.target.value;
  }

  #sortBy(column) {
    const again = this.sort?.key === column.key;
    this.sort = { key: column.key, descending: again ? !this.sort.descending : Boolean(column.numeric) };
  }

  #clicked(event, row) {
    const inner = event.target.closest('a, button, input, select, summary');
    if (inner && !inner.closest('.opener')) return;
    if (String(getSelection()) !== '') return;
    this.#activate(row);
  }

  #activate(row) {
    if (this.detail) this.#toggle(this.#key(row));
    else if (this.activates) this.dispatchEvent(new CustomEvent('activate', { detail: row }));
  }

  #toggle(key) {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    this.open = open;
  }

  #pressed(event) {
    const element = event.target;
    if (!element.classList?.contains('row')) return;
    const rows = this.#rowElements();
    const at = rows.indexOf(element);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
    if (event.key in moves) rows[Math.min(Math.max(moves[event.key], 0), rows.length - 1)].focus();
    else if (event.key === 'PageDown' && this.#pages.hasNext) this.#turn('first', () => this.#pages.next());
    else if (event.key === 'PageUp' && this.#pages.hasPrevious) this.#turn('last', () => this.#pages.previous());
    else if (event.key === 'Enter' || event.key === ' ') this.#activate(this.#pages.items[at]);
    else return;
    event.preventDefault();
  }

  #turn(focus, turn) {
    this.#focusAfter = focus;
    turn();
  }

  #rowElements() {
    return [...this.renderRoot.querySelectorAll('tr.row')];
  }

  #key(row) {
    return String(this.rowKey ? this.rowKey(row) : row.id);
  }
}

function look(column) {
  return [column.numeric ? 'numeric' : '', column.needs ? `needs-${column.needs}` : ''].join(' ').trim();
}

function cell(column, row) {
  if (column.render) return column.render(row);
  const plain = value(column, row);
  return typeof plain === 'number' ? number(plain) : plain ?? '–';
}

function value(column, row) {
  return column.value ? column.value(row) : row[column.key];
}

customElements.define('hs-table', HsTable);
