// Traffic: what comes in over all instances, how fast it is answered, and where it fails.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { compact, count, dateTime, duration, number, percent } from '../format.js';
import { Poll } from '../poll.js';
import { hourly, latency, perSecond } from '../traffic/charts.js';
import { Recent } from '../traffic/recent.js';
import { statusName } from '../traffic/statuses.js';
import '../components/hs-card.js';
import '../components/hs-chart.js';
import '../components/hs-meter.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-spark.js';
import '../components/hs-table.js';
import '../traffic/hs-endpoint.js';

const WINDOWS = [['1m', '1 min'], ['15m', '15 min'], ['1h', '1 h'], ['24h', '24 h']];
const SPANS = WINDOWS.slice(1);
const ORDERS = { busiest: ['Busiest', 'requests'], slowest: ['Slowest', 'p95'], failing: ['Most failing', 'errors'] };
const MOST_STATUSES = 8;

export default class TrafficPage extends LightElement {
  static properties = { window: { state: true }, order: { state: true }, span: { state: true } };
  static styles = css`
    .tiles { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
    .tile { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1.25rem; align-items: end; }
    .tile dl { margin: 0; }
    .tile dt { font-size: var(--small); color: var(--ink-faint); }
    .tile dd { margin: 0; font-size: 2rem; font-weight: 620; letter-spacing: -0.03em; line-height: 1.2; white-space: nowrap; }
    .tile p { grid-column: 1 / -1; font-size: var(--small); color: var(--ink-faint); }
    .tile .failures { --hs-spark-colour: var(--chart-2); }
    .tile .times { --hs-spark-colour: var(--chart-3); }
    .split { display: grid; gap: 1rem; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }
    @media (max-width: 1000px) { .split { grid-template-columns: minmax(0, 1fr); } }
    .statuses { display: grid; gap: 0.7rem; margin: 0; padding: 0; list-style: none; }
    .statuses li { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr) auto; gap: 0.2rem 0.6rem; align-items: baseline; font-size: 0.875rem; }
    .statuses b { font-weight: 600; }
    .statuses span { color: var(--ink-faint); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .statuses hs-meter { grid-column: 1 / -1; }
    .section-head .choices { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-inline-start: auto; }
    .choice { display: inline-flex; margin: 0; padding: 2px; border: 1px solid var(--line); border-radius: var(--radius-small); background: var(--sunken); }
    .choice label { position: relative; padding: 0.2rem 0.7rem; border-radius: 5px; font-size: var(--small); color: var(--ink-faint); cursor: pointer; }
    .choice label:hover { color: var(--ink); }
    .choice label:has(:checked) { background: var(--raised); color: var(--ink); box-shadow: 0 0 0 1px var(--line), var(--shadow); }
    .choice label:has(:focus-visible) { outline: 2px solid var(--ember); outline-offset: 1px; }
    .choice input { position: absolute; inset: 0; min-block-size: 0; margin: 0; opacity: 0; cursor: pointer; }
    .endpoint { font-weight: 500; }
    .endpoint i { display: inline-block; min-inline-size: 3.6rem; font-style: normal; font-weight: 600; font-size: var(--tiny); color: var(--ink-faint); }
    .bad { color: var(--down); }
  `;

  recent = new Recent();
  summary = new Poll(this, 1000, (signal) => api.get('/traffic', { query: { window: '1m' }, signal, timeout: 4000 }), (answer) => this.recent.add(answer));
  series = new Poll(this, 5000, (signal) => api.get('/traffic/series', { query: { window: this.span }, signal }));
  hours = new Poll(this, 30_000, (signal) => api.get('/traffic/hourly', { signal }));
  endpoints = new Poll(this, 3000, (signal) => api.get('/traffic/endpoints', { query: { window: this.window, limit: 1000 }, signal }));
  instances = new Poll(this, 3000, (signal) => api.get('/traffic/instances', { query: { limit: 1000 }, signal }));

  constructor() {
    super();
    this.window = '1h';
    this.order = 'busiest';
    this.span = '15m';
  }

  updated(changed) {
    if (changed.get('window') !== undefined) this.endpoints.refresh();
    if (changed.get('span') !== undefined) this.series.refresh();
  }

  render() {
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Traffic</h1>
            <p>The requests of every instance, added up. What comes in is here within two seconds.</p>
          </div>
        </header>
        ${this.summary.view((summary) => this.#now(summary), { loading: 'Adding up the instances…' })}
        ${this.summary.data === null ? nothing : html`${this.#endpoints()}${this.#instances()}`}
      </div>
    `;
  }

  #now(summary) {
    const now = this.recent.points.at(-1)?.at ?? Date.now();
    const { points } = this.recent;
    const { speed_per_second: speed } = summary.requests;
    const { p95 } = summary.response_ms;
    return html`
      ${this.#tiles(summary)}
      ${this.#facts(summary)}
      <div class="grid wide">
        <hs-card heading="Requests and errors a second" level="2">
          <hs-chart label="Requests and errors a second over the last five minutes" summary="Now ${number(speed)} requests a second" .option=${perSecond(points, now)} height="240"></hs-chart>
        </hs-card>
        <hs-card heading="Response times" level="2">
          <div slot="actions">${choice('span', 'Time shown', SPANS, this.span, (value) => (this.span = value))}</div>
          ${this.series.view(({ items }) => html`<hs-chart label="Response times over time" summary=${p95 === null ? 'Nothing came in within the last minute' : `95% of the last minute within ${duration(p95)}`} .option=${latency(items)} height="240"></hs-chart>`)}
        </hs-card>
      </div>
      <div class="split">
        <hs-card heading="Requests by hour" level="2">
          ${this.hours.view((hours) => html`<hs-chart label="Requests by hour over the last 24 hours" summary=${hourSentence(hours.items)} .option=${hourly(hours.items, Date.now())} height="240"></hs-chart>`)}
        </hs-card>
        <hs-card heading="Status codes" level="2">${statuses(summary)}</hs-card>
      </div>
    `;
  }

  #tiles({ requests, response_ms: times }) {
    const { points, errorShare } = this.recent;
    const errors = points.at(-1)?.errors;
    return html`
      <div class="tiles">
        ${tile('Requests a second', number(requests.speed_per_second), `At most ${number(requests.max_speed_per_second)} since the first instance came up`, 'rate', spark(points, 'requests', number))}
        ${tile('Errors a second', number(rounded(errors)), errorShare === null ? 'Nothing came in while you watched' : `${percent(errorShare)} of all while you watched`, 'failures', spark(points, 'errors', number))}
        ${tile('Response time, p95 of a minute', duration(times.p95), html`p50 ${duration(times.p50)} · p90 ${duration(times.p90)} · p99 ${duration(times.p99)}`, 'times', spark(points, 'p95', duration))}
      </div>
    `;
  }

  #facts({ requests, errors, connections, instances }) {
    return html`
      <hs-card>
        <dl class="facts big" data-facts>
          <div><dt>Requests in all</dt><dd data-fact="total" title=${number(requests.total)}>${big(requests.total)}</dd></div>
          <div><dt>Accepted</dt><dd data-fact="accepted" title=${number(requests.accepted)}>${big(requests.accepted)}</dd></div>
          <div><dt>Errors in all</dt><dd data-fact="errors" title=${number(errors.total)}>${big(errors.total)}</dd></div>
          <div><dt>Connections</dt><dd>${number(connections.current)}</dd></div>
          <div><dt>Most connections</dt><dd>${number(connections.max_since_startup)}</dd></div>
          <div><dt>Instances</dt><dd data-fact="instances">${number(instances)}</dd></div>
        </dl>
      </hs-card>
    `;
  }

  #endpoints() {
    return html`
      <section class="section" aria-labelledby="endpoints">
        <div class="section-head">
          <h2 id="endpoints">Endpoints</h2>
          <div class="choices">
            ${choice('order', 'Order', Object.entries(ORDERS).map(([value, [label]]) => [value, label]), this.order, (value) => (this.order = value))}
            ${choice('window', 'Window', WINDOWS, this.window, (value) => (this.window = value))}
          </div>
        </div>
        ${this.endpoints.view(({ items }) => html`
          <hs-table
            label="endpoints"
            placeholder="Search method or route"
            .columns=${ENDPOINT_COLUMNS}
            .rows=${items}
            .sort=${sorts[this.order]}
            .rowKey=${(row) => row.endpoint}
            .detail=${(row) => html`<hs-endpoint endpoint=${row.endpoint}></hs-endpoint>`}
            .empty=${html`<hs-empty heading="No requests in this window" icon="traffic">They come from the library in your application, or by <code>POST /traffic/requests</code>.</hs-empty>`}
          ></hs-table>`)}
      </section>
    `;
  }

  #instances() {
    return html`
      <section class="section">
        <div class="section-head"><h2>Instances</h2><p>Over the last 24 hours</p></div>
        ${this.instances.view(({ items }) => html`
          <hs-table label="instances" noSearch .columns=${INSTANCE_COLUMNS} .rows=${items} .rowKey=${(row) => row.instance} empty="No instance has reported"></hs-table>`)}
      </section>
    `;
  }
}

const sorts = Object.fromEntries(Object.entries(ORDERS).map(([order, [, key]]) => [order, { key, descending: true }]));

const FIGURES = [
  { key: 'requests', label: 'Requests', numeric: true },
  { key: 'errors', label: 'Errors', numeric: true, render: (row) => html`<span class=${row.errors > 0 ? 'bad' : ''}>${number(row.errors)}</span>` },
  { key: 'share', label: 'Failed', numeric: true, needs: 'wide', value: failed, render: (row) => percent(failed(row)) },
  { key: 'avg_ms', label: 'Average', numeric: true, needs: 'wide', render: (row) => duration(row.avg_ms) },
  { key: 'p50', label: 'p50', numeric: true, needs: 'wide', render: (row) => duration(row.p50) },
  { key: 'p95', label: 'p95', numeric: true, needs: 'medium', render: (row) => duration(row.p95) },
  { key: 'p99', label: 'p99', numeric: true, needs: 'medium', render: (row) => duration(row.p99) },
];

const ENDPOINT_COLUMNS = [{ key: 'endpoint', label: 'Endpoint', render: endpointCell }, ...FIGURES];

const INSTANCE_COLUMNS = [
  { key: 'instance', label: 'Instance', render: (row) => html`<code>${row.instance}</code>` },
  { key: 'live', label: 'State', needs: 'medium', value: (row) => (row.live ? 'live' : 'gone'), render: (row) => html`<hs-pill state=${row.live ? 'live' : 'unknown'}>${row.live ? 'live' : 'gone'}</hs-pill>` },
  ...FIGURES,
];

function endpointCell({ endpoint }) {
  const space = endpoint.indexOf(' ');
  return space < 0 ? html`<code class="endpoint">${endpoint}</code>` : html`<code class="endpoint"><i>${endpoint.slice(0, space)}</i> ${endpoint.slice(space + 1)}</code>`;
}

function failed(row) {
  return row.requests > 0 ? row.errors / row.requests : null;
}

function tile(label, value, remark, look, picture) {
  return html`
    <hs-card>
      <div class="tile" data-tile=${look}>
        <dl><dt>${label}</dt><dd>${value}</dd></dl>
        <div class=${look}>${picture}</div>
        <p>${remark}</p>
      </div>
    </hs-card>
  `;
}

function spark(points, field, format) {
  const samples = points.slice(-120).filter((point) => typeof point[field] === 'number').map((point) => ({ at: point.at, value: point[field] }));
  return html`<hs-spark label="Lately" .samples=${samples} .format=${format} slots="120"></hs-spark>`;
}

function choice(name, legend, options, value, choose) {
  return html`
    <fieldset class="choice" data-choice=${name}>
      <legend class="visually-hidden">${legend}</legend>
      ${options.map(([key, label]) => html`<label><input type="radio" name=${name} value=${key} .checked=${value === key} @change=${() => choose(key)}>${label}</label>`)}
    </fieldset>
  `;
}

function statuses({ requests, errors }) {
  const all = Object.entries(errors.by_status).sort((a, b) => b[1] - a[1]);
  if (all.length === 0) return html`<hs-empty heading="No errors" icon="check">Every answer so far was below 400.</hs-empty>`;
  const shown = all.slice(0, MOST_STATUSES);
  const good = requests.total - errors.total;
  const hidden = all.length - shown.length;
  return html`
    <ul class="statuses">
      ${status('OK', 'Below 400', good, requests.total, requests.total, 'up')}
      ${shown.map(([code, n]) => status(code, statusName(code), n, requests.total, errors.total, Number(code) >= 500 ? 'down' : 'degraded'))}
    </ul>
    <p class="small muted">An error's bar is its share of all errors.${hidden > 0 ? ` ${count(hidden, 'rarer one is', 'rarer ones are')} left out.` : ''}</p>
  `;
}

function status(code, name, n, total, whole, state) {
  return html`
    <li data-status=${code}>
      <b>${code}</b><span>${name}</span><span>${big(n)} · ${percent(total > 0 ? n / total : null)}</span>
      <hs-meter label="Answers ${code}" .value=${n} .max=${whole || 1} text=${number(n)} state=${state}></hs-meter>
    </li>
  `;
}

function hourSentence(items) {
  const busiest = items.reduce((most, item) => (most === null || item.requests > most.requests ? item : most), null);
  return busiest === null ? 'Nothing came in' : `The busiest began ${dateTime(busiest.hour)} with ${number(busiest.requests)} requests`;
}

function big(value) {
  return value >= 100_000 ? compact(value) : number(value);
}

function rounded(value) {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : null;
}

customElements.define('traffic-page', TrafficPage);
