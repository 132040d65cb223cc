// Drivers: the live map with its search, the list, and the regions, each in its tab. What is looked at stands in the
// address: /ui/drivers?at=12.97,77.59,12, /ui/drivers?view=list&status=BUSY.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { compact, number } from '../format.js';
import { Load } from '../load.js';
import { Poll } from '../poll.js';
import { href, navigate } from '../router.js';
import './drivers/driver-list.js';
import './drivers/live-map.js';
import './drivers/region-list.js';
import '../components/hs-notice.js';

const SUMMARY_MS = 1000;
const TABS = { map: 'Map', list: 'Drivers', regions: 'Regions' };
const EXAMPLE = `curl -X PATCH ${location.origin}/drivers/d-1/location \\
  -H 'Content-Type: application/json' \\
  -d '{"lat": 12.9716, "lon": 77.5946}'`;

export default class DriversPage extends LightElement {
  static properties = { query: { attribute: false } };
  static styles = css`
    .driver-figures dd small { font-weight: 500; color: var(--ink-faint); letter-spacing: 0; }
    .driver-first { margin: 0; padding: 0.85rem 1rem; border-radius: var(--radius-small); background: var(--sunken); overflow-x: auto; line-height: 1.6; }
  `;

  summary = new Poll(this, SUMMARY_MS, (signal) => api.get('/drivers/summary', { signal, timeout: 5000 }));
  regions = new Load(this, (signal) => api.get('/regions', { query: { limit: 1000 }, signal }));

  render() {
    const view = this.query?.view ?? 'map';
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Drivers</h1>
            <p>Where they are, what they do, and who is free around a place.</p>
          </div>
        </header>
        ${this.summary.error ? html`<hs-error .error=${this.summary.error} @retry=${() => this.summary.refresh()}></hs-error>` : nothing}
        ${this.summary.data ? this.#figures(this.summary.data) : nothing}
        <nav class="tabs" aria-label="Drivers">
          ${Object.entries(TABS).map(([name, title]) => html`<a href="${href('/drivers')}${name === 'map' ? '' : `?view=${name}`}" aria-current=${name === view ? 'page' : nothing}>${title}</a>`)}
        </nav>
        ${this.#view(view)}
      </div>
    `;
  }

  #figures({ total, available, busy, offline, reserved, updates_per_second: rate, regions }) {
    return html`
      <dl class="facts big driver-figures" aria-label="All drivers">
        <div data-figure="total"><dt>Drivers</dt><dd>${number(total)}</dd></div>
        <div data-figure="available"><dt>Available</dt><dd>${number(available)}${reserved > 0 ? html` <small>${number(reserved)} held</small>` : nothing}</dd></div>
        <div data-figure="busy"><dt>Busy</dt><dd>${number(busy)}</dd></div>
        <div data-figure="offline"><dt>Offline</dt><dd>${number(offline)}</dd></div>
        <div data-figure="updates"><dt>Updates</dt><dd>${compact(rate)}<small>/s</small></dd></div>
        <div data-figure="regions"><dt>Regions</dt><dd>${number(regions.length)}</dd></div>
      </dl>
    `;
  }

  #view(view) {
    switch (view) {
      case 'list':
        return html`<driver-list .status=${this.query?.status ?? ''} @asked=${({ detail }) => navigate(`/drivers?view=list${detail ? `&status=${detail}` : ''}`, { replace: true })}
          @show=${({ detail }) => navigate(`/drivers?at=${detail.lat.toFixed(5)},${detail.lon.toFixed(5)},15`)}></driver-list>`;
      case 'regions':
        return this.regions.view(({ items }) => html`<region-list .regions=${items} .summary=${this.summary.data} @changed=${() => this.regions.reload()}></region-list>`);
      default:
        return this.summary.data?.total === 0 ? this.#first() : html`<live-map .regions=${this.regions.data?.items} .at=${placeOf(this.query?.at)} @moved=${({ detail }) => this.#moved(detail)}></live-map>`;
    }
  }

  #first() {
    return html`
      <hs-empty heading="No drivers yet" icon="drivers">A driver is known from its first fix on, and found by all who search near it until it is busy, goes offline or is silent for a minute.</hs-empty>
      <pre class="driver-first"><code>${EXAMPLE}</code></pre>
    `;
  }

  // Without `navigate`, which would render the page anew for each step.
  #moved({ lat, lon, zoom }) {
    if ((this.query?.view ?? 'map') !== 'map') return;
    history.replaceState(null, '', `${href('/drivers')}?at=${lat.toFixed(5)},${lon.toFixed(5)},${zoom.toFixed(2)}`);
  }
}

function placeOf(text) {
  const [lat, lon, zoom] = (text ?? '').split(',').map(Number);
  return [lat, lon, zoom].every(Number.isFinite) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon, zoom } : null;
}

customElements.define('drivers-page', DriversPage);
