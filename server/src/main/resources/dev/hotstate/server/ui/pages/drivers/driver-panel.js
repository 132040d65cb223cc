// <driver-panel driver="d-1" @closed @show>: one driver: what it does, where and since when; its status and its profile.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { dateTime, number, relative } from '../../format.js';
import { Live } from '../../live.js';
import { Poll } from '../../poll.js';
import { session } from '../../session.js';
import { Form, filled, listOf } from '../monitors/fields.js';
import { STATUSES, pill, shownStatus } from './statuses.js';
import '../../components/hs-card.js';
import '../../components/hs-icon.js';
import '../../components/hs-notice.js';

const REFRESH_MS = 2000;

class DriverPanel extends LightElement {
  static properties = { driver: {}, edits: { state: true }, busy: { state: true } };
  static styles = css`
    .driver-panel { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
    .driver-panel .facts { grid-template-columns: 1fr 1fr; }
    .driver-tags { display: flex; flex-wrap: wrap; gap: 0.3rem; }
    .driver-tags code { padding: 0.05rem 0.45rem; border-radius: 99px; background: var(--unknown-tint); }
    .driver-place { justify-self: start; padding: 0; min-block-size: 0; font-weight: 500; }
    .driver-panel .buttons button { min-block-size: 2rem; padding: 0 0.65rem; }
    .driver-panel .buttons button[aria-pressed="true"] { border-color: var(--ember); color: var(--ember); }
  `;

  form = new Form(this, 'driver');
  poll = new Poll(this, REFRESH_MS, (signal) => api.get(this.#path, { signal, timeout: 5000 }));
  live = new Live(this, { 'drivers.status': ({ data }) => data?.items?.some(({ id }) => id === this.driver) && this.poll.refresh() });

  updated(changed) {
    if (!changed.has('driver') || changed.get('driver') === undefined) return;
    this.poll.data = null;
    this.edits = false;
    this.poll.refresh();
  }

  get #path() {
    return `/drivers/${encodeURIComponent(this.driver)}`;
  }

  render() {
    return html`
      <hs-card heading=${this.driver} level="2">
        <button slot="actions" class="icon plain" aria-label="Close" title="Close" @click=${() => this.dispatchEvent(new Event('closed'))}><hs-icon name="close"></hs-icon></button>
        ${this.poll.view((driver) => this.#driver(driver))}
      </hs-card>
    `;
  }

  #driver(driver) {
    const { id, region, name, vehicle, rating, tags, lat, lon, speed, seen_at: seen, since, reserved_until: until } = driver;
    return html`
      <div class="driver-panel" data-driver=${id} data-status=${shownStatus(driver)}>
        <dl class="facts">
          <div><dt>State</dt><dd>${pill(shownStatus(driver))}</dd></div>
          <div><dt>Since</dt><dd title=${dateTime(since)}>${relative(since)}</dd></div>
          ${name ? html`<div><dt>Name</dt><dd>${name}</dd></div>` : nothing}
          ${vehicle ? html`<div><dt>Vehicle</dt><dd>${vehicle}</dd></div>` : nothing}
          ${rating === null ? nothing : html`<div><dt>Rating</dt><dd>${number(rating)} of 5</dd></div>`}
          <div><dt>Heard of</dt><dd title=${dateTime(seen)}>${relative(seen)}</dd></div>
          <div><dt>Region</dt><dd><code>${region}</code></dd></div>
          ${speed === null ? nothing : html`<div><dt>Speed</dt><dd>${number(speed)} km/h</dd></div>`}
          ${until ? html`<div><dt>Held until</dt><dd title=${dateTime(until)}>${relative(until)}</dd></div>` : nothing}
        </dl>
        ${tags.length > 0 ? html`<div class="driver-tags">${tags.map((tag) => html`<code>${tag}</code>`)}</div>` : nothing}
        ${lat === null ? html`<p class="muted small">It has not said where it is yet.</p>` : html`<button class="plain driver-place" name="show" title="Show it on the map" @click=${() => this.dispatchEvent(new CustomEvent('show', { detail: { lat, lon } }))}><hs-icon name="drivers"></hs-icon><code>${lat.toFixed(5)}, ${lon.toFixed(5)}</code></button>`}
        ${session.can('operator') ? html`
          <div class="buttons" role="group" aria-label="State">
            ${STATUSES.map((status) => html`<button name=${status} aria-pressed=${status === driver.status ? 'true' : 'false'} ?disabled=${this.busy} @click=${() => this.#mark(status)}>${status.charAt(0) + status.slice(1).toLowerCase()}</button>`)}
          </div>
          ${this.edits ? this.#profile() : html`<button class="plain driver-place" name="edit" @click=${() => this.#edit(driver)}><hs-icon name="edit"></hs-icon>Edit the profile</button>`}` : nothing}
      </div>
    `;
  }

  #profile() {
    this.form.rendering();
    return html`
      <form class="form" @submit=${this.#save}>
        ${this.form.field('name', { label: 'Name' })}${this.form.field('vehicle', { label: 'Vehicle' })}
        ${this.form.field('rating', { label: 'Rating', hint: '0 to 5' })}${this.form.field('tags', { label: 'Tags', hint: 'Found by these; parted by commas.' })}
        ${this.form.error ? html`<hs-error no-retry .error=${this.form.error}></hs-error>` : nothing}
        <div class="buttons"><button class="primary" type="submit" ?disabled=${this.busy}>Save</button><button type="button" class="plain" @click=${() => (this.edits = false)}>Cancel</button></div>
      </form>
    `;
  }

  #edit({ name, vehicle, rating, tags }) {
    this.form.begin({ name: name ?? '', vehicle: vehicle ?? '', rating: rating === null ? '' : String(rating), tags: tags.join(', ') });
    this.edits = true;
  }

  async #save(event) {
    event.preventDefault();
    const { name, vehicle, rating, tags } = this.form.values;
    const wanted = rating.trim() === '' ? undefined : Number.isFinite(Number(rating)) ? Number(rating) : rating;
    await this.#change(() => api.put(this.#path, filled({ name, vehicle, rating: wanted, tags: listOf(tags) })), (error) => this.form.refuse(error));
  }

  #mark(status) {
    return this.#change(() => api.put(`${this.#path}/status`, { status }), (error) => toast('That did not work', { state: 'error', detail: error.message }));
  }

  async #change(call, refused) {
    this.busy = true;
    try {
      this.poll.data = await call();
      this.edits = false;
    } catch (error) {
      refused(error);
    }
    this.busy = false;
  }
}

customElements.define('driver-panel', DriverPanel);
