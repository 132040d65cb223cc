// <hs-audit></hs-audit>: what the audits of the server's Redis found: findings, memory over time, slow log, clients.
// It loads by itself, follows `audit.finished`, and offers a new audit to those who may ask for one.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { toast } from '../components/hs-toast.js';
import { bytes, count, dateTime, duration, number, percent, relative, words } from '../format.js';
import { Live } from '../live.js';
import { Load } from '../load.js';
import { session } from '../session.js';
import { explained, explainedBars, growth, memoryOverTime } from './charts.js';
import '../components/hs-card.js';
import '../components/hs-chart.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-table.js';

const POINTS = 200;
const LONGEST_MS = 45_000;

class HsAudit extends LightElement {
  static properties = { auditing: { state: true } };
  static styles = css`
    hs-audit { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
    .finding-evidence { color: var(--ink-faint); font-size: var(--small); overflow-wrap: anywhere; white-space: normal; }
    .finding-about { display: inline-block; min-inline-size: 14ch; }
    .finding-detail { display: grid; gap: 0.6rem; max-inline-size: 70rem; }
    .finding-detail ul { margin: 0; padding-inline-start: 1.1rem; }
    .finding-detail code, .slow code { overflow-wrap: anywhere; white-space: normal; }
    .audit-actions { margin-inline-start: auto; display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
    .unseen { margin: 0; padding-inline-start: 1.1rem; font-size: var(--small); color: var(--ink-soft); }
  `;

  load = new Load(this, async (signal) => {
    const { items } = await api.get('/audit/history', { query: { limit: POINTS }, signal });
    return { items, report: items.length > 0 ? await api.get('/audit', { signal }) : null };
  });
  live = new Live(this, { 'audit.finished': () => this.load.reload(), reset: () => this.load.reload() });

  render() {
    return html`
      <section class="section" aria-labelledby="audit">
        <div class="section-head">
          <h2 id="audit">Audit</h2>
          ${this.load.data?.report ? this.#remark(this.load.data.report) : nothing}
          <div class="audit-actions">
            ${session.can('operator') ? html`<button data-audit-now ?disabled=${this.auditing} @click=${this.#audit}><hs-icon name="refresh"></hs-icon>${this.auditing ? 'Auditing…' : 'Audit now'}</button>` : nothing}
          </div>
        </div>
        ${this.load.view(({ items, report }) => (report === null ? none() : this.#report(items, report)), { loading: 'Reading the last audit…' })}
      </section>
    `;
  }

  #remark(report) {
    return html`<p title=${dateTime(report.started_at)} data-audited=${report.started_at}>${relative(report.started_at)}, ${count(report.keys, 'key')} in ${duration(report.cost.millis)}${report.complete ? '' : ', not all of them read'}</p>`;
  }

  #report(items, report) {
    return html`
      ${findings(report.findings)}
      <div class="grid wide">
        <hs-card heading="Memory over time" level="3">
          <hs-chart label="Memory over time" summary=${growth(items)} .option=${memoryOverTime(items)} height="260"></hs-chart>
        </hs-card>
        <hs-card heading="Where memory is now" level="3">
          <hs-chart label="Where memory is now" summary="${percent(report.memory.attributed / report.memory.used)} of ${bytes(report.memory.used)} is in keys" .option=${explained(report.memory)} height=${explainedBars(report.memory) * 30 + 34}></hs-chart>
        </hs-card>
      </div>
      ${slowLog(report.activity)}
      ${clients(report.activity)}
      ${commands(report.activity)}
      ${unseen(report.not_looked_at)}
    `;
  }

  #audit = async () => {
    this.auditing = true;
    try {
      const answer = await api.post('/audit', undefined, { timeout: LONGEST_MS });
      if (answer.status === 'running') toast('The audit goes on', { detail: 'Its report will appear here.' });
      else toast('Audited', { detail: count(answer.findings.length, 'finding') });
      await this.load.reload();
    } catch (error) {
      toast('The audit was not made', { state: 'error', detail: error.message });
    } finally {
      this.auditing = false;
    }
  };
}

function none() {
  return html`<hs-empty heading="No audit yet">It holds every key in Redis against the declared families, and the server against a checklist.</hs-empty>`;
}

const FINDING_COLUMNS = [
  { key: 'severity', label: 'Severity', value: ({ severity }) => ['error', 'warning', 'info'].indexOf(severity), render: ({ severity }) => html`<hs-pill state=${severity}>${words(severity)}</hs-pill>` },
  { key: 'rule', label: 'Finding', value: (finding) => `${finding.rule} ${finding.evidence} ${finding.severity}`, render: (finding) => html`<b>${finding.rule}</b><div class="finding-evidence">${finding.evidence}</div>` },
  { key: 'family', label: 'About', needs: 'medium', value: about, render: (finding) => html`<code class="finding-about">${about(finding)}</code>` },
];

function about({ family, subject }) {
  return [family, subject].filter(Boolean).join(' ');
}

function findings(rows) {
  return html`
    <hs-table
      label="findings"
      placeholder="Search rule, family, evidence"
      .columns=${FINDING_COLUMNS}
      .rows=${rows}
      .rowKey=${(finding) => `${finding.rule} ${about(finding)}`}
      .detail=${findingDetail}
      .empty=${html`<hs-empty heading="Nothing was found">Every key is as declared, and the server is as it should be.</hs-empty>`}
    ></hs-table>
  `;
}

function findingDetail({ evidence, keys, remedy, confidence }) {
  return html`
    <div class="finding-detail">
      <p>${evidence}</p>
      ${confidence ? html`<p class="small muted">Of ${number(confidence.sampled)} looked at ${number(confidence.found)}; of all, with 95 % confidence, ${percent(confidence.low)} to ${percent(confidence.high)}.</p>` : nothing}
      ${keys.length > 0 ? html`<ul>${keys.map((key) => html`<li><code>${key}</code></li>`)}</ul>` : nothing}
      <p><strong>What to do:</strong> ${remedy}</p>
    </div>
  `;
}

const SLOW_COLUMNS = [
  { key: 'command', label: 'Command', render: ({ command }) => html`<span class="slow"><code>${command}</code></span>` },
  { key: 'micros', label: 'Took', numeric: true, render: ({ micros }) => duration(micros / 1000) },
  { key: 'at', label: 'When', needs: 'medium', render: ({ at }) => html`<span title=${dateTime(at)}>${relative(at)}</span>` },
  { key: 'client', label: 'Client', needs: 'wide' },
  { key: 'node', label: 'Node', needs: 'wide' },
];

function slowLog({ slow }) {
  return html`
    <div class="section">
      <h3>Slow log</h3>
      <hs-table label="slow commands" noSearch pageSize="10" .columns=${SLOW_COLUMNS} .rows=${slow} .rowKey=${({ node, id }) => `${node} ${id}`} empty="No slow command"></hs-table>
    </div>
  `;
}

const CLIENT_COLUMNS = [
  { key: 'name', label: 'Client', render: ({ name }) => name || html`<span class="muted">(no name)</span>` },
  { key: 'user', label: 'User', needs: 'medium' },
  { key: 'host', label: 'Host', needs: 'medium' },
  { key: 'library', label: 'Library', needs: 'wide' },
  { key: 'last', label: 'Last commands', needs: 'wide', value: ({ last_commands: last }) => last.join(' '), render: ({ last_commands: last }) => html`<code>${last.join(' ')}</code>` },
  { key: 'connections', label: 'Connections', numeric: true },
];

function clients({ clients: rows }) {
  return html`
    <div class="section">
      <h3>Clients</h3>
      <hs-table label="clients" noSearch pageSize="10" .columns=${CLIENT_COLUMNS} .rows=${rows} .rowKey=${({ name, user, host, library }) => `${name} ${user} ${host} ${library}`} empty="No client was seen"></hs-table>
    </div>
  `;
}

const COMMAND_COLUMNS = [
  { key: 'command', label: 'Command', render: ({ command }) => html`<code>${command}</code>` },
  { key: 'calls_per_second', label: 'A second', numeric: true, render: ({ calls_per_second: rate }) => number(Math.round(rate * 10) / 10) },
  { key: 'calls', label: 'Calls', numeric: true, needs: 'medium' },
  { key: 'micros_per_call', label: 'Each', numeric: true, render: ({ micros_per_call: micros }) => `${number(Math.round(micros * 10) / 10)} µs` },
];

function commands({ commands: rows }) {
  return html`
    <div class="section">
      <h3>Busiest commands</h3>
      <hs-table label="commands" noSearch pageSize="10" .columns=${COMMAND_COLUMNS} .rows=${rows} .rowKey=${({ command }) => command} empty="No command was seen"></hs-table>
    </div>
  `;
}

function unseen(list) {
  if (list.length === 0) return nothing;
  return html`
    <hs-banner state="unknown" heading="Not looked at">
      <ul class="unseen">${list.map(({ what, why }) => html`<li><code>${what}</code>: ${why}</li>`)}</ul>
    </hs-banner>
  `;
}

customElements.define('hs-audit', HsAudit);
