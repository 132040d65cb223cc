// <region-list .regions .summary @changed>: regions with their load, on a map; and a form for one: a box drawn by
// dragging, or the outline as JSON, sent as it is: the server says what is wrong with it.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { confirm } from '../../components/hs-confirm.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { compact, number } from '../../format.js';
import { session } from '../../session.js';
import { rowStyles } from './statuses.js';
import './driver-map.js';
import '../../components/hs-card.js';
import '../../components/hs-icon.js';
import '../../components/hs-meter.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const EXAMPLE = '{"box": {"south": 12.8, "west": 77.4, "north": 13.2, "east": 77.8}}';

class RegionList extends LightElement {
  static properties = { regions: { attribute: false }, summary: { attribute: false }, draft: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [rowStyles, css`
    .region-edit { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 1rem; align-items: start; }
    .region-edit textarea { min-block-size: 9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
    .region-load { display: grid; gap: 0.3rem; min-inline-size: 6rem; }
    @media (max-width: 1120px) { .region-edit { grid-template-columns: minmax(0, 1fr); } }
  `];

  #columns = [
    { key: 'id', label: 'Region', render: ({ id, shape }) => html`<code>${id}</code><span class="driver-sub">${shape.length === 0 ? 'all the rest of the world' : `${shape.length} points`}</span>` },
    { key: 'total', label: 'Drivers', numeric: true, render: ({ total }) => number(total) },
    { key: 'available', label: 'Available', numeric: true, render: ({ available }) => number(available) },
    { key: 'busy', label: 'Busy', numeric: true, needs: 'medium', render: ({ busy }) => number(busy) },
    { key: 'offline', label: 'Offline', numeric: true, needs: 'medium', render: ({ offline }) => number(offline) },
    { key: 'updates_per_second', label: 'Updates', value: ({ updates_per_second: rate }) => rate, render: (region) => this.#load(region) },
    { key: 'do', label: '', sortable: false, render: (region) => this.#actions(region) },
  ];

  render() {
    const rows = this.#rows();
    return html`
      <div class="page">
        <hs-table label="regions" noSearch .columns=${this.#columns} .rows=${rows}></hs-table>
        ${session.can('operator') ? this.#editor() : nothing}
      </div>
    `;
  }

  #rows() {
    const loads = new Map((this.summary?.regions ?? []).map((load) => [load.region, load]));
    return (this.regions ?? []).map((region) => ({ ...region, ...loads.get(region.id) }));
  }

  #load({ updates_per_second: rate }) {
    const most = Math.max(1, ...(this.summary?.regions ?? []).map((region) => region.updates_per_second));
    return html`<div class="region-load"><small>${compact(rate)}/s</small><hs-meter label="Updates a second" value=${rate ?? 0} max=${most} limit="2" text="${compact(rate)}/s"></hs-meter></div>`;
  }

  #actions({ id, shape }) {
    if (!session.can('operator') || id === 'default') return nothing;
    return html`
      <button class="icon plain" aria-label="Edit ${id}" title="Edit" @click=${() => this.#edit(id, { shape })}><hs-icon name="edit"></hs-icon></button>
      <button class="icon plain" aria-label="Delete ${id}" title="Delete" @click=${() => this.#delete(id)}><hs-icon name="bin"></hs-icon></button>
    `;
  }

  #editor() {
    const { id, text } = this.draft ?? { id: '', text: '' };
    return html`
      <div class="region-edit">
        <driver-map draws .regions=${[...(this.regions ?? []), ...drawn(id, text)]} .home=${corners(this.regions)} @boxed=${({ detail }) => this.#boxed(detail)}></driver-map>
        <hs-card heading="A region" level="2">
          <form class="form" @submit=${this.#save}>
            ${this.error ? html`<hs-error no-retry .error=${this.error}></hs-error>` : nothing}
            <div class="field"><label for="region-id">Id</label><input id="region-id" name="id" required .value=${id} placeholder="blr" autocomplete="off" autocapitalize="none" spellcheck="false" @input=${({ target }) => this.#edit(target.value.trim(), text)}><small>2 to 16 characters; it stands in the keys of its drivers.</small></div>
            <div class="field"><label for="region-shape">Box or outline</label><textarea id="region-shape" name="shape" class="code" required spellcheck="false" .value=${text} placeholder=${EXAMPLE} @input=${({ target }) => this.#edit(id, target.value)}></textarea><small>Drag over the map for a box, or write <code>{"shape": [[lat, lon], …]}</code></small></div>
            <div class="buttons"><button class="primary" type="submit" ?disabled=${this.busy}>Save</button>${this.draft ? html`<button class="plain" type="button" @click=${() => (this.draft = null)}>Clear</button>` : nothing}</div>
          </form>
        </hs-card>
      </div>
    `;
  }

  #edit(id, document) {
    this.error = null;
    this.draft = { id, text: typeof document === 'string' ? document : JSON.stringify(document) };
  }

  #boxed(box) {
    const short = Object.fromEntries(Object.entries(box).map(([side, value]) => [side, Number(value.toFixed(5))]));
    this.#edit(this.draft?.id ?? '', { box: short });
  }

  async #save(event) {
    event.preventDefault();
    const { id, text } = this.draft;
    await this.#change(async () => {
      await api.put(`/regions/${encodeURIComponent(id)}`, text, { headers: { 'Content-Type': 'application/json' } });
      toast('The region is saved', { detail: id });
      this.draft = null;
    });
  }

  async #delete(id) {
    if (!(await confirm({ title: `Delete the region ${id}?`, text: 'Its drivers go where they are by their next fix.', action: 'Delete', danger: true }))) return;
    await this.#change(async () => {
      await api.delete(`/regions/${encodeURIComponent(id)}`);
      toast('The region is deleted', { detail: id });
    });
  }

  async #change(call) {
    this.busy = true;
    try {
      await call();
      this.error = null;
      this.dispatchEvent(new Event('changed'));
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  }
}

// What is being written, as far as it can be drawn.
function drawn(id, text) {
  try {
    const { box, shape } = JSON.parse(text);
    if (shape) return [{ id: id || '…', shape }];
    const { south, west, north, east } = box;
    return [{ id: id || '…', shape: [[south, west], [south, east], [north, east], [north, west]] }];
  } catch {
    return [];
  }
}

function corners(regions) {
  const places = (regions ?? []).flatMap(({ shape }) => shape.map(([lat, lon]) => ({ lat, lon })));
  return places.length > 0 ? places : undefined;
}

customElements.define('region-list', RegionList);
