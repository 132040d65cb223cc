// Every shared piece in every state, with made-up data; reachable by its address only. For looking at and for tests.

import { css, html } from 'lit';
import { ApiError } from '../api.js';
import { LightElement } from '../components/light.js';
import { confirm } from '../components/hs-confirm.js';
import { toast } from '../components/hs-toast.js';
import { bytes, count, duration, number, percent, relative } from '../format.js';
import '../components/hs-card.js';
import '../components/hs-chart.js';
import '../components/hs-days.js';
import '../components/hs-meter.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-spark.js';
import '../components/hs-states.js';
import '../components/hs-table.js';

const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';
const STATES = ['up', 'degraded', 'down', 'rebuilding', 'unknown', 'paused', 'running', 'FAILED'];
const ROWS = Array.from({ length: 10_000 }, (_, i) => ({
  id: `row-${i}`,
  name: i === 3 ? HOSTILE : `monitor ${i}`,
  state: STATES[(i * 7) % 3],
  latency: i % 11 === 0 ? null : ((i * 7919) % 1000) / 10,
  note: `The check number ${i}`,
}));
const COLUMNS = [
  { key: 'name', label: 'Name' },
  { key: 'state', label: 'State', render: (row) => html`<hs-pill state=${row.state}></hs-pill>` },
  { key: 'latency', label: 'Latency', numeric: true, render: (row) => duration(row.latency) },
  { key: 'note', label: 'Note', needs: 'wide' },
];
const BEATS = Array.from({ length: 60 }, (_, i) => ({ state: i === 20 || i === 21 ? 'down' : i === 22 ? 'rebuilding' : i % 13 === 0 ? 'degraded' : i === 40 ? 'unknown' : 'up', label: `check ${i}`, at: Date.now() - (60 - i) * 60_000 }));
const SAMPLES = Array.from({ length: 90 }, (_, i) => ({ at: i, value: 1 + Math.sin(i / 6) * 0.4 + ((i * 37) % 10) / 20 + (i === 60 ? 3 : 0) }));
const DAYS = Array.from({ length: 90 }, (_, i) => (i < 30 ? null : i % 17 === 0 ? 62.5 : i % 11 === 0 ? 99.2 : 100));
const CHART = {
  legend: { top: 0, left: 0 },
  grid: { left: 8, right: 12, top: 36, bottom: 4, containLabel: true },
  tooltip: { trigger: 'axis' },
  xAxis: { type: 'category', data: Array.from({ length: 24 }, (_, i) => `${String(i).padStart(2, '0')}:00`) },
  yAxis: { type: 'value' },
  series: [HOSTILE.slice(0, 12), 'p95', 'p99'].map((name, s) => ({ name, type: 'line', smooth: true, showSymbol: false, data: Array.from({ length: 24 }, (_, i) => Math.round((s + 1) * 20 + Math.sin(i / 3 + s) * 8)) })),
};
const REFUSED = new ApiError('http', { status: 400, title: 'The monitor is not valid', detail: 'Two fields are wrong.', errors: [{ field: 'interval', message: 'must be at least 1s' }, { field: 'name', message: `${HOSTILE} is too long` }], requestId: '01HZX3' });

export default class GalleryPage extends LightElement {
  static properties = { asked: { state: true } };
  static styles = css`.row-of { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }`;

  render() {
    return html`
      <div class="page">
        <header class="page-head"><div><h1 tabindex="-1">Gallery</h1><p>The pieces that pages are made of.</p></div></header>
        <hs-card heading="Pills and dots" level="2">
          <div class="row-of">${STATES.map((state) => html`<hs-pill state=${state}></hs-pill>`)}<hs-pill state="down">${HOSTILE}</hs-pill></div>
          <div class="row-of">${STATES.map((state) => html`<hs-dot state=${state} label=${state}></hs-dot>`)}</div>
        </hs-card>
        <hs-card heading="Bar of states" level="2"><hs-states id="states" label="Last 60 checks" .items=${BEATS}></hs-states><hs-states label="Begun just now" .items=${BEATS.slice(0, 5)}></hs-states></hs-card>
        <hs-card heading="Bar of days" level="2"><hs-days id="days" label="Uptime" first="2026-01-01" .values=${DAYS}></hs-days></hs-card>
        <div class="grid">
          <hs-card heading="Sparkline" level="2"><hs-spark label="Latency" .samples=${SAMPLES} .format=${duration}></hs-spark></hs-card>
          <hs-card heading="Meters" level="2">
            <hs-meter label="Connections" value="8" max="20" text="8 of 20"></hs-meter>
            <hs-meter label="Memory" value="19" max="20" text="19 of 20"></hs-meter>
            <hs-meter label="Rebuild" value="0.4" max="1" state="rebuilding"></hs-meter>
          </hs-card>
          <hs-card heading=${`Figures ${HOSTILE}`} level="2">
            <p>${number(1234567.8)} · ${bytes(3456)} · ${percent(0.4123)} · ${count(1, 'key')}</p>
            <p>${duration(0.42)} · ${duration(1500)} · ${duration(90_000)} · ${duration(7.5e6)} · ${relative(Date.now() - 300_000)}</p>
          </hs-card>
        </div>
        <hs-card heading="Chart" level="2"><hs-chart id="chart" label="Latency by hour" summary="p99 between 50 and 70 ms" .option=${CHART} height="260"></hs-chart></hs-card>
        <section class="section"><h2>Table of 10,000 rows</h2><hs-table id="rows" label="made-up monitors" .columns=${COLUMNS} .rows=${ROWS} .detail=${(row) => html`<p>${row.note}, ${row.name}</p>`}></hs-table></section>
        <section class="section"><h2>Table from the server</h2><hs-table id="paged" label="pages" .columns=${COLUMNS} .source=${serverPage} pageSize="5"></hs-table></section>
        <section class="section"><h2>Empty table</h2><hs-table id="none" label="nothing" .columns=${COLUMNS} .rows=${[]}></hs-table></section>
        <div class="grid">
          <hs-card heading="Loading" level="2"><hs-loading label="Loading jobs…"></hs-loading></hs-card>
          <hs-card heading="Empty" level="2"><hs-empty heading="No jobs yet">Submit one with <code>POST /jobs</code>.</hs-empty></hs-card>
        </div>
        <section class="section">
          <h2>Remarks and errors</h2>
          <hs-error .error=${REFUSED}></hs-error>
          ${['up', 'degraded', 'rebuilding', 'unknown'].map((state) => html`<hs-banner state=${state} heading="A remark about ${state}">With a sentence that says what to do about it.</hs-banner>`)}
        </section>
        <hs-card heading="Asking and telling" level="2">
          <div class="row-of">
            <button id="toast" @click=${() => toast('Monitor saved', { detail: HOSTILE })}>Toast</button>
            <button id="toast-error" @click=${() => toast('Could not save', { state: 'error', detail: 'The server cannot be reached' })}>Error toast</button>
            <button id="confirm" @click=${this.#ask}>Ask</button>
            <button class="primary">Primary</button><button class="danger">Danger</button><button disabled>Disabled</button>
            <span id="answer" role="status">${this.asked ?? ''}</span>
          </div>
        </hs-card>
      </div>
    `;
  }

  async #ask() {
    const yes = await confirm({ title: 'Delete web-1?', text: 'Its history of 90 days goes too. This cannot be undone.', action: 'Delete', danger: true });
    this.asked = yes ? 'Answered yes' : 'Answered no';
  }
}

async function serverPage({ q, cursor, limit }) {
  const from = Number(cursor ?? 0);
  const found = ROWS.filter((row) => row.name.includes(q));
  return { items: found.slice(from, from + limit), next_cursor: from + limit < found.length ? String(from + limit) : null };
}

customElements.define('gallery-page', GalleryPage);
