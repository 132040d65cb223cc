// Redis keys: every declared family with what it holds now, what it costs, and why it is there; and what audits found.

import { css, html, nothing } from 'lit';
import { LightElement } from '../components/light.js';
import { api } from '../api.js';
import { bytes, count, dateTime, number, percent, relative } from '../format.js';
import { Live } from '../live.js';
import { Load } from '../load.js';
import { session } from '../session.js';
import '../components/hs-card.js';
import '../components/hs-chart.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';
import '../components/hs-table.js';
import '../redis/hs-audit.js';

const BARS = 10;

export default class RedisPage extends LightElement {
  static styles = css`
    .family b { font-weight: 600; }
    .family code { display: block; color: var(--ink-faint); font-size: 0.75rem; }
    @container hs-table (width < 560px) { .family code { display: none; } }
    .type { padding: 0.05rem 0.4rem; border-radius: 4px; background: var(--unknown-tint); color: var(--ink-soft); }
    .family-detail { display: grid; gap: 1.1rem; max-inline-size: 64rem; }
    .family-detail h3 { margin-block-end: 0.35rem; font-size: var(--tiny); font-weight: 500; letter-spacing: 0; color: var(--ink-faint); }
    .family-detail .why { max-inline-size: 70ch; font-size: 0.9375rem; }
    .family-detail pre { margin: 0; padding: 0.6rem 0.8rem; border-radius: var(--radius-small); background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
    .fields { display: grid; grid-template-columns: fit-content(14rem) minmax(0, 1fr); gap: 0.3rem 1.25rem; margin: 0; }
    .fields dd { margin: 0; color: var(--ink-soft); overflow-wrap: anywhere; }
    .stray { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0.35rem 0 0; padding: 0; list-style: none; }
    .stray code { color: inherit; }
  `;

  load = new Load(this, (signal) => api.get('/keyspace', { signal, timeout: 20_000 }));
  live = new Live(this, { reset: () => this.load.reload() });

  render() {
    const { data, loading } = this.load;
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Redis keys</h1>
            <p>Every key belongs to a family that was declared before the key existed.</p>
          </div>
          <div class="actions">
            ${data?.sampled_at ? html`<span class="muted small" title=${dateTime(data.sampled_at)}>Counted ${relative(data.sampled_at)}</span>` : nothing}
            <button ?disabled=${loading} @click=${() => this.load.reload()}><hs-icon name="refresh"></hs-icon>${loading ? 'Counting…' : 'Count again'}</button>
          </div>
        </header>
        ${this.load.view((keyspace) => this.#keyspace(keyspace), { loading: 'Counting keys…' })}
        ${session.has('audit') ? html`<hs-audit></hs-audit>` : nothing}
        ${data ? this.#families(data) : nothing}
      </div>
    `;
  }

  #keyspace(keyspace) {
    const { families } = keyspace;
    const memory = sum(families, 'bytes');
    const counted = (value) => (keyspace.sampled_at ? value : null);
    return html`
      ${this.#remarks(keyspace)}
      <hs-card>
        <dl class="facts big">
          <div><dt>Families</dt><dd>${number(families.length)}</dd></div>
          <div><dt>Keys</dt><dd>${number(counted(sum(families, 'keys')))}</dd></div>
          <div><dt>Memory of these keys</dt><dd>${bytes(counted(memory))}</dd></div>
          <div><dt>Undeclared keys</dt><dd>${number(counted(keyspace.undeclared?.keys ?? 0))}</dd></div>
        </dl>
        <p slot="footer">Keys begin with <code>${keyspace.prefix}</code></p>
      </hs-card>
      ${memory > 0 ? this.#chart(families, memory) : nothing}
    `;
  }

  #families({ families, prefix }) {
    return html`
      <section class="section">
        <h2>Families</h2>
        <hs-table
          label="key families"
          pageSize="200"
          placeholder="Search name, pattern, type, owner"
          .columns=${columns(prefix)}
          .rows=${families}
          .rowKey=${(family) => family.pattern}
          .detail=${detail}
          .empty=${html`<hs-empty heading="No families declared">Switch a feature on, and its families appear here.</hs-empty>`}
        ></hs-table>
      </section>
    `;
  }

  #remarks({ complete, sampled_at: sampledAt, undeclared }) {
    if (!sampledAt) return html`<hs-banner state="unknown" heading="Keys are not counted yet">Redis has not told how many there are. What is declared stands below.</hs-banner>`;
    return html`
      ${complete === false ? html`<hs-banner state="unknown" heading="Counts are from a sample">The keyspace is large: part of it was counted and the rest estimated.</hs-banner>` : nothing}
      ${undeclared?.keys > 0 ? html`
        <hs-banner state="degraded" heading="${count(undeclared.keys, 'key')} without a declared family">
          Nothing here made them, or an older version did. ${undeclared.examples?.length > 0 ? 'For example:' : nothing}
          <ul class="stray">${(undeclared.examples ?? []).map((key) => html`<li><code>${key}</code></li>`)}</ul>
        </hs-banner>` : nothing}
    `;
  }

  #chart(families, memory) {
    const largest = families.filter((family) => family.bytes > 0).sort((a, b) => b.bytes - a.bytes);
    const shown = largest.slice(0, BARS);
    const [first] = shown;
    return html`
      <hs-card heading="Memory by family" level="2">
        <hs-chart label="Memory by family" summary="${first.name} takes ${percent(first.bytes / memory)} of ${bytes(memory)}" .option=${option(shown)} height=${shown.length * 30 + 34}></hs-chart>
        ${largest.length > shown.length ? html`<p slot="footer">The ${shown.length} largest of ${largest.length}; the table has them all.</p>` : nothing}
      </hs-card>
    `;
  }
}

function columns(prefix) {
  return [
    { key: 'name', label: 'Family', value: (family) => `${family.name} ${family.pattern}`, render: (family) => html`<div class="family"><b>${family.name}</b><code>${shortened(family.pattern, prefix)}</code></div>` },
    { key: 'type', label: 'Type', needs: 'medium', render: (family) => html`<code class="type">${family.type}</code>` },
    { key: 'lifetime', label: 'Lifetime', needs: 'wide', value: (family) => lifetime(family.lifetime) },
    { key: 'owner', label: 'Owner', needs: 'wide' },
    { key: 'keys', label: 'Keys', numeric: true },
    { key: 'bytes', label: 'Memory', numeric: true, render: (family) => bytes(family.bytes) },
    { key: 'each', label: 'Per key', numeric: true, needs: 'wide', value: perKey, render: (family) => bytes(perKey(family)) },
  ];
}

function detail(family) {
  return html`
    <div class="family-detail">
      ${family.why ? html`<p class="why">${family.why}</p>` : nothing}
      <div><h3>Pattern</h3><pre>${family.pattern}</pre></div>
      ${family.example ? html`<div><h3>Example</h3><pre>${family.example}</pre></div>` : nothing}
      ${family.fields?.length > 0 ? html`
        <div>
          <h3>Fields</h3>
          <dl class="fields">${family.fields.map((field) => html`<dt><code>${field.name}</code></dt><dd>${field.description}</dd>`)}</dl>
        </div>` : nothing}
      <dl class="facts">
        <div><dt>Type</dt><dd>${family.type}</dd></div>
        <div><dt>Lifetime</dt><dd>${lifetime(family.lifetime)}</dd></div>
        <div><dt>Owner</dt><dd>${family.owner}</dd></div>
        <div><dt>Memory per key, now</dt><dd>${bytes(perKey(family))}</dd></div>
        <div><dt>Memory per key, expected</dt><dd>${bytes(family.estimate_bytes_per_key)}</dd></div>
      </dl>
      ${family.lifetime?.reason ? html`<p class="small muted">${family.lifetime.reason}</p>` : nothing}
    </div>
  `;
}

function lifetime({ kind, ttl, count: most } = {}) {
  if (kind === 'expires') return ttl ? `expires after ${ttl}` : 'expires';
  if (kind === 'bounded') return most ? `at most ${number(most)}` : 'bounded';
  return kind ?? '–';
}

function option(families) {
  const rows = [...families].reverse();
  return {
    grid: { left: 4, right: 76, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: { type: 'category', data: rows.map((family) => family.name), axisLabel: { width: 150, overflow: 'truncate' } },
    tooltip: { trigger: 'item', formatter: ({ dataIndex }) => `${rows[dataIndex].name}\n${bytes(rows[dataIndex].bytes)} in ${count(rows[dataIndex].keys, 'key')}` },
    series: [{
      type: 'bar',
      barMaxWidth: 14,
      data: rows.map((family) => family.bytes),
      itemStyle: { borderRadius: [0, 4, 4, 0] },
      label: { show: true, position: 'right', color: 'inherit', formatter: ({ value }) => bytes(value) },
    }],
  };
}

function shortened(pattern, prefix) {
  return pattern.startsWith(`${prefix}:`) ? `…${pattern.slice(prefix.length)}` : pattern;
}

function perKey(family) {
  return family.keys > 0 && typeof family.bytes === 'number' ? Math.round(family.bytes / family.keys) : null;
}

function sum(families, field) {
  return families.reduce((total, family) => total + (family[field] ?? 0), 0);
}

customElements.define('redis-page', RedisPage);
