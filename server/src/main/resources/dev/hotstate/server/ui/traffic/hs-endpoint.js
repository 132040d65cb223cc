// <hs-endpoint endpoint="GET /api/users"></hs-endpoint>: what each window knows of one endpoint, and its last requests.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { count, duration, number, percent } from '../format.js';
import { Poll } from '../poll.js';
import { scatter } from './charts.js';
import '../components/hs-chart.js';

const WINDOWS = { '1m': 'Last minute', '15m': 'Last 15 minutes', '1h': 'Last hour', '24h': 'Last 24 hours' };

class HsEndpoint extends LightElement {
  static properties = { endpoint: {} };
  static styles = css`
    .endpoint-detail { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem 2rem; align-items: start; }
    @container hs-table (width < 860px) { .endpoint-detail { grid-template-columns: minmax(0, 1fr); } }
    .endpoint-detail h3 { margin-block-end: 0.35rem; font-size: var(--tiny); font-weight: 500; letter-spacing: 0; color: var(--ink-faint); }
    .endpoint-detail .scroll { overflow-x: auto; }
    hs-table .endpoint-detail table { font-size: var(--small); }
    hs-table .endpoint-detail th { min-inline-size: 0; white-space: nowrap; }
    hs-table .endpoint-detail thead th { position: static; padding: 0.35rem 0 0.35rem 0.9rem; background: none; font-weight: 500; font-size: var(--tiny); }
    hs-table .endpoint-detail tbody td, hs-table .endpoint-detail tbody th { padding: 0.4rem 0 0.4rem 0.9rem; }
    hs-table .endpoint-detail tr > :first-child { padding-inline-start: 0; }
    .endpoint-detail p { margin-block-start: 0.6rem; font-size: var(--small); color: var(--ink-faint); }
  `;

  poll = new Poll(this, 5000, (signal) => api.get('/traffic/endpoint', { query: parts(this.endpoint), signal }));

  render() {
    return this.poll.view((detail) => html`
      <div class="endpoint-detail" data-endpoint=${detail.endpoint}>
        ${this.#windows(detail)}
        ${this.#samples(detail.samples)}
      </div>`);
  }

  #windows(detail) {
    return html`
      <div>
        <h3>By window</h3>
        <div class="scroll"><table aria-label="${detail.endpoint} by window">
          <thead><tr><th scope="col">Window</th>${['Requests', 'Errors', 'p50', 'p90', 'p95', 'p99'].map((name) => html`<th scope="col" class="numeric">${name}</th>`)}</tr></thead>
          <tbody>
            ${detail.items.map((line) => html`
              <tr>
                <th scope="row">${WINDOWS[line.window]}</th>
                <td class="numeric">${number(line.requests)}</td>
                <td class="numeric">${number(line.errors)}</td>
                ${[line.p50, line.p90, line.p95, line.p99].map((ms) => html`<td class="numeric">${duration(ms)}</td>`)}
              </tr>`)}
          </tbody>
        </table></div>
        <p>${count(detail.requests, 'request')} since ever, ${percent(detail.requests > 0 ? detail.errors / detail.requests : null)} failed, ${duration(detail.avg_ms)} on average.</p>
      </div>
    `;
  }

  #samples(samples) {
    if (samples.length === 0) return nothing;
    const longest = Math.max(...samples.map(({ ms }) => ms));
    return html`
      <div>
        <h3>Last ${count(samples.length, 'request')}</h3>
        <hs-chart label="Response times of the last requests" summary="The longest took ${duration(longest)}" .option=${scatter(samples)} height="190"></hs-chart>
      </div>
    `;
  }
}

function parts(endpoint) {
  const space = endpoint.indexOf(' ');
  if (space < 0) return { method: 'OTHER', route: endpoint }; // what came beyond the most endpoints
  return { method: endpoint.slice(0, space), route: endpoint.slice(space + 1) };
}

customElements.define('hs-endpoint', HsEndpoint);
