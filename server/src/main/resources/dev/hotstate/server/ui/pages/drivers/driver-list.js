// <driver-list .status=${'BUSY'} @asked>: drivers by id, a page at a time from the server, kept up to date; a row opens.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, number, relative } from '../../format.js';
import { Live } from '../../live.js';
import { STATUSES, pill, rowStyles, shownStatus } from './statuses.js';
import './driver-panel.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const REFRESH_MS = 5000;
const SOONEST_MS = 700;

class DriverList extends LightElement {
  static properties = { status: {}, chosen: { state: true } };
  static styles = [rowStyles, css`
    .driver-filters { display: flex; flex-wrap: wrap; gap: 0.4rem; }
    .driver-filters button { min-block-size: 1.9rem; border-radius: 99px; }
    .driver-filters button[aria-pressed="true"] { border-color: var(--ember); color: var(--ember); }
    .driver-rows { display: grid; gap: 1rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
    .driver-rows.with-one { grid-template-columns: minmax(0, 1fr) 21rem; }
    @media (max-width: 1120px) { .driver-rows.with-one { grid-template-columns: minmax(0, 1fr); } }
  `];

  live = new Live(this, { 'drivers.status': () => this.#soon(), reset: () => this.#soon() });
  #columns = [
    { key: 'id', label: 'Driver', render: ({ id, name, vehicle }) => html`<code>${id}</code><span class="driver-sub">${[name, vehicle].filter(Boolean).join(', ')}</span>` },
    { key: 'status', label: 'State', render: (driver) => pill(shownStatus(driver)) },
    { key: 'region', label: 'Region', needs: 'medium', render: ({ region }) => html`<code>${region}</code>` },
    { key: 'tags', label: 'Tags', needs: 'wide', render: ({ tags }) => tags.join(', ') },
    { key: 'rating', label: 'Rating', numeric: true, needs: 'wide', render: ({ rating }) => number(rating) },
    { key: 'seen_at', label: 'Heard of', render: ({ seen_at: at }) => html`<span title=${dateTime(at)}>${relative(at)}</span>` },
  ];
  #timer = null;
  #due = null;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => document.hidden || this.#reload(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    clearTimeout(this.#due);
    this.#due = null;
  }

  updated(changed) {
    if (changed.has('status') && changed.get('status') !== undefined) this.renderRoot.querySelector('hs-table')?.restart();
  }

  render() {
    return html`
      <div class="page">
        <div class="driver-filters" role="group" aria-label="State">
          ${['', ...STATUSES].map((status) => html`
            <button aria-pressed=${status === this.status ? 'true' : 'false'} data-filter=${status || 'ALL'} @click=${() => this.dispatchEvent(new CustomEvent('asked', { detail: status }))}>${status ? status.charAt(0) + status.slice(1).toLowerCase() : 'All'}</button>`)}
        </div>
        <div class="driver-rows ${this.chosen ? 'with-one' : ''}">
          <hs-table label="drivers" placeholder="Search by id, name or vehicle" .columns=${this.#columns} .source=${this.#source} activates
            .empty=${empty(this.status)} @activate=${({ detail }) => (this.chosen = detail.id)}></hs-table>
          ${this.chosen ? html`<driver-panel driver=${this.chosen} @closed=${() => (this.chosen = null)} @show=${({ detail }) => this.dispatchEvent(new CustomEvent('show', { detail }))}></driver-panel>` : nothing}
        </div>
      </div>
    `;
  }

  #source = ({ q, cursor, limit, signal }) => api.get('/drivers', { query: { q, cursor, limit, status: this.status }, signal });

  // News come several a second while many come and go: one reading answers all that came meanwhile.
  #soon() {
    this.#due ??= setTimeout(() => {
      this.#due = null;
      this.#reload();
    }, SOONEST_MS);
  }

  #reload() {
    this.renderRoot.querySelector('hs-table')?.reload();
  }
}

function empty(status) {
  return status
    ? html`<hs-empty heading="No driver is ${status.toLowerCase()}" icon="drivers"></hs-empty>`
    : html`<hs-empty heading="No drivers yet" icon="drivers">A driver is known from its first fix on: <code>PATCH /drivers/{id}/location</code></hs-empty>`;
}

customElements.define('driver-list', DriverList);
