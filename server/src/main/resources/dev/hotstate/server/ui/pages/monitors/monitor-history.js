// <monitor-history .monitor=${id}></monitor-history>: uptime by window, and latency and uptime step by step over a range.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, duration, number } from '../../format.js';
import { Poll } from '../../poll.js';
import { uptimeText, uptimeTone } from './uptime-text.js';
import '../../components/hs-card.js';
import '../../components/hs-chart.js';
import '../../components/hs-states.js';

const HOUR = 3_600_000;
const RANGES = { '24h': ['24 hours', 24 * HOUR], '7d': ['7 days', 168 * HOUR], '30d': ['30 days', 720 * HOUR], '90d': ['90 days', 2160 * HOUR] };
const REFRESH_MS = 30_000;
const NAMES = { p50: 'p50', p95: 'p95', p99: 'p99' };

class MonitorHistory extends LightElement {
  static properties = { monitor: { attribute: false }, range: { state: true } };
  static styles = css`
    .history-ranges { display: flex; gap: 0.25rem; }
    .history-ranges button { min-block-size: 1.9rem; padding-inline: 0.65rem; font-size: var(--small); }
    .history-ranges button[aria-pressed="true"] { border-color: var(--action); box-shadow: inset 0 0 0 1px var(--action); }
    .history-uptime { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
    .history-strip { --hs-states-height: 26px; }
    .history-strip-label { margin-block-end: 0.35rem; font-size: var(--tiny); color: var(--ink-faint); }
  `;

  uptime = new Poll(this, REFRESH_MS, (signal) => api.get(`/monitors/${this.monitor}/uptime`, { signal }));
  history = new Poll(this, REFRESH_MS, async (signal) => {
    const range = this.range;
    const to = Date.now();
    const from = to - RANGES[range][1];
    const answer = await api.get(`/monitors/${this.monitor}/history`, { query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() }, signal });
    return { range, from, to, ...answer, ...drawn(answer.items, from, to) };
  });

  constructor() {
    super();
    this.range = '24h';
  }

  willUpdate(changed) {
    if (!this.hasUpdated || !changed.has('monitor')) return;
    for (const poll of [this.uptime, this.history]) {
      poll.data = null;
      poll.refresh();
    }
  }

  render() {
    return html`
      <hs-card heading="History" level="2">
        <div class="history-ranges" slot="actions" role="group" aria-label="Range">
          ${Object.entries(RANGES).map(([name, [label]]) => html`<button aria-pressed=${name === this.range} data-range=${name} @click=${() => this.#choose(name)}>${label}</button>`)}
        </div>
        ${this.uptime.view((windows) => html`
          <dl class="facts big history-uptime">
            ${Object.entries(RANGES).map(([name, [label]]) => html`<div data-uptime=${name}><dt>Uptime, ${label}</dt><dd class="uptime-${uptimeTone(windows[name])}">${uptimeText(windows[name])}</dd></div>`)}
          </dl>`)}
        ${this.history.view((history) => this.#drawn(history))}
      </hs-card>
    `;
  }

  #drawn({ range, step, checks, option, strip, summary }) {
    if (checks === 0) return html`<hs-empty heading="Nothing is known of the last ${RANGES[range][0]}" icon="metrics">History begins with the first check.</hs-empty>`;
    return html`
      <div>
        <p class="history-strip-label">Uptime, ${step} each</p>
        <hs-states class="history-strip" label="Uptime over ${RANGES[range][0]}" .items=${strip} max=${strip.length}></hs-states>
      </div>
      ${option ? html`<hs-chart label="Latency over ${RANGES[range][0]}" summary=${summary} .option=${option} height="240"></hs-chart>` : nothing}
      <p class="muted small">${number(checks)} checks. Latencies are of those that were well; maintenance does not count.</p>
    `;
  }

  #choose(range) {
    this.range = range;
    this.history.refresh();
  }
}

// Made once per answer, so that the chart is drawn anew only then.
function drawn(items, from, to) {
  const points = items.map((item) => ({ ...item, at: Date.parse(item.at) }));
  const known = points.filter(({ p99 }) => typeof p99 === 'number');
  return {
    checks: points.reduce((sum, point) => sum + point.checks, 0),
    strip: points.map(({ at, uptime, checks, ok }) => ({ state: uptimeTone(uptime), text: `${dateTime(at)}: ${uptime === null ? 'nothing known' : `${uptimeText(uptime)} up, ${number(ok)} of ${number(checks)} checks well`}` })),
    option: known.length > 0 ? option(points, from, to) : null,
    summary: known.length > 0 ? `p99 at most ${duration(Math.max(...known.map(({ p99 }) => p99)))}` : '',
  };
}

function option(points, from, to) {
  return {
    animation: false,
    legend: { top: 0, left: 0 },
    grid: { left: 4, right: 12, top: 36, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', valueFormatter: duration },
    xAxis: { type: 'time', min: from, max: to, splitNumber: 6, axisLabel: { hideOverlap: true } },
    yAxis: { type: 'value', min: 0, splitNumber: 4, axisLabel: { formatter: duration } },
    series: Object.entries(NAMES).map(([field, name]) => ({
      name,
      type: 'line',
      showSymbol: lonely(points, field),
      symbolSize: 5,
      lineStyle: { width: 1.75 },
      data: points.map((point) => [point.at, point[field] ?? null]),
    })),
  };
}

// A point between two gaps makes no line: it is drawn as a dot.
function lonely(points, field) {
  const known = (point) => typeof point?.[field] === 'number';
  return points.some((point, i) => known(point) && !known(points[i - 1]) && !known(points[i + 1]));
}

customElements.define('monitor-history', MonitorHistory);
