// <incident-list monitor="shop"></incident-list>: incidents, newest first, of all monitors or of one. A row opens to what
// happened and to whom it was told.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, duration, relative } from '../../format.js';
import { Live } from '../../live.js';
import { href } from '../../router.js';
import './incident-story.js';
import '../../components/hs-pill.js';
import '../../components/hs-table.js';

class IncidentList extends LightElement {
  static properties = { monitor: {}, openOnly: { state: true } };
  static styles = css`
    incident-list { display: grid; gap: 0.85rem; }
    .incident-error { color: var(--ink-soft); }
    .incident-name { display: inline-block; max-inline-size: 20rem; font-weight: 600; unicode-bidi: isolate; }
    .incident-began { white-space: nowrap; }
  `;

  live = new Live(this, {
    'monitors.incident_opened': ({ data }) => this.#heard(data),
    'monitors.incident_closed': ({ data }) => this.#heard(data),
    'monitors.incident_released': ({ data }) => this.#heard(data),
    'monitors.incident_acknowledged': ({ data }) => this.#heard(data),
    reset: () => this.#reload(),
  });

  render() {
    return html`
      ${this.monitor ? nothing : html`<label class="choice"><input type="checkbox" name="open" .checked=${Boolean(this.openOnly)} @change=${this.#filtered}> Only those that are not over</label>`}
      <hs-table noSearch label="incidents" pageSize=${this.monitor ? 10 : 25}
        .columns=${this.monitor ? COLUMNS.slice(1) : COLUMNS}
        .source=${this.#source}
        .detail=${({ id }) => html`<incident-story .incident=${id} @acknowledged=${() => this.#reload()}></incident-story>`}
        .empty=${html`<hs-empty heading="No incident${this.openOnly ? ' is open' : ' yet'}" icon="check">When a monitor has failed as often as its threshold says, it stands here, with every message about it.</hs-empty>`}
      ></hs-table>
    `;
  }

  #source = ({ cursor, limit, signal }) => api.get('/incidents', { query: { monitor: this.monitor, open: this.openOnly || undefined, cursor, limit }, signal });

  async #filtered(event) {
    this.openOnly = event.target.checked;
    await this.updateComplete;
    this.#reload();
  }

  #heard(incident) {
    if (!this.monitor || incident?.monitor === this.monitor) this.#reload();
  }

  #reload() {
    this.renderRoot.querySelector('hs-table')?.reload();
  }
}

const COLUMNS = [
  { key: 'monitor', label: 'Monitor', render: ({ monitor }) => html`<a class="incident-name" href=${href(`/monitors/${monitor.id}`)}>${monitor.name}</a>` },
  { key: 'started_at', label: 'Began', render: ({ started_at: at }) => html`<span class="incident-began" title=${dateTime(at)}>${relative(at)}</span>` },
  { key: 'state', label: 'State', render: pill },
  { key: 'lasted', label: 'Lasted', numeric: true, needs: 'medium', render: ({ started_at: from, ended_at: to }) => duration((to ? Date.parse(to) : Date.now()) - Date.parse(from)) },
  { key: 'error', label: 'Why', needs: 'wide', render: ({ error }) => html`<span class="incident-error">${error ?? '–'}</span>` },
];

function pill({ open, held, acknowledged_at: acknowledged, acknowledged_by: by }) {
  if (!open) return html`<hs-pill state="closed">Over</hs-pill>`;
  if (held) return html`<hs-pill state="held">Held</hs-pill>`;
  return acknowledged ? html`<hs-pill state="degraded" title="By ${by || 'somebody'}">Acknowledged</hs-pill>` : html`<hs-pill state="open">Open</hs-pill>`;
}

customElements.define('incident-list', IncidentList);
