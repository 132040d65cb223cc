// Monitors: the list with its live state; incidents, maintenance and channels each in their tab; and the form for a new
// one. Which of them, and what the list is narrowed to, stands in the address: /ui/monitors?view=incidents, ?state=down.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { compact, duration, number } from '../format.js';
import { Live } from '../live.js';
import { Poll } from '../poll.js';
import { href, navigate } from '../router.js';
import { session } from '../session.js';
import './monitors/alert-channels.js';
import './monitors/incident-list.js';
import './monitors/maintenance-windows.js';
import './monitors/monitor-form.js';
import './monitors/monitor-list.js';
import '../components/hs-card.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';

const SUMMARY_MS = 2000;
const TABS = { list: 'Monitors', incidents: 'Incidents', maintenance: 'Maintenance', channels: 'Channels' };
const FILTERS = ['state', 'tag', 'q', 'sort'];
const EXAMPLE = `- name: Shop
  type: http
  target: https://shop.example.com/health
  interval: 30s
  assertions: ["status == 200", "latency < 500ms"]
- name: Nightly backup
  type: push
  cron: "0 3 * * *"
  grace: 1h`;

export default class MonitorsPage extends LightElement {
  static properties = { query: { attribute: false } };
  static styles = css`
    .monitor-figures { padding: 0.85rem 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
    .monitor-figures { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); }
    .monitor-figures dd { font-size: 1.125rem; font-weight: 600; letter-spacing: -0.015em; }
    .monitor-figures dd small { font-weight: 500; color: var(--ink-faint); letter-spacing: 0; }
    .monitor-figures .bad { color: var(--down); }
    .monitor-first { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
    .monitor-first pre { margin: 0; padding: 0.85rem 1rem; border-radius: var(--radius-small); background: var(--sunken); overflow-x: auto; line-height: 1.6; }
  `;

  summary = new Poll(this, SUMMARY_MS, (signal) => api.get('/monitors/summary', { signal, timeout: 5000 }));
  live = new Live(this, { 'monitors.redefined': () => this.summary.refresh() });

  render() {
    const view = this.query?.view ?? 'list';
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Monitors</h1>
            <p>What is watched, how it is now, and who was told when it was not well.</p>
          </div>
          <div class="actions">
            <a class="button plain" href=${href('/status')} target="_blank" rel="noopener">Status page <hs-icon name="out"></hs-icon></a>
            ${session.can('operator') && view !== 'new' ? html`<a class="button primary" data-action="add" href="${href('/monitors')}?view=new"><hs-icon name="plus"></hs-icon>Add a monitor</a>` : nothing}
          </div>
        </header>
        <nav class="tabs" aria-label="Monitors">
          ${Object.entries(TABS).map(([name, title]) => html`<a href="${href('/monitors')}${name === 'list' ? '' : `?view=${name}`}" aria-current=${name === view ? 'page' : nothing}>${title}</a>`)}
        </nav>
        ${this.#view(view)}
      </div>
    `;
  }

  #view(view) {
    switch (view) {
      case 'incidents': return html`<incident-list></incident-list>`;
      case 'maintenance': return html`<maintenance-windows></maintenance-windows>`;
      case 'channels': return html`<alert-channels></alert-channels>`;
      case 'new': return this.#new();
      default: return this.#list();
    }
  }

  #new() {
    if (!session.can('operator')) return html`<hs-empty heading="Only operators add monitors" icon="monitors">Your token may look, but not change anything.</hs-empty>`;
    return html`
      <hs-card heading="A new monitor" level="2">
        <monitor-form @saved=${({ detail }) => navigate(`/monitors/${detail.id}`)} @closed=${() => navigate('/monitors')}></monitor-form>
      </hs-card>
    `;
  }

  #list() {
    const { data } = this.summary;
    const filtered = FILTERS.some((name) => this.query?.[name]);
    if (data?.total === 0 && !this.summary.error && !filtered) return this.#first();
    const query = Object.fromEntries(FILTERS.map((name) => [name, this.query?.[name]]).filter(([, value]) => value));
    return html`
      ${data && !this.summary.error ? this.#figures(data) : nothing}
      <monitor-list .query=${query} .summary=${this.summary.error ? null : data} @asked=${({ detail }) => this.#ask(detail)}></monitor-list>
    `;
  }

  #figures({ checks_per_second: checks, failures_per_second: failures, lag_ms: lag, outbox }) {
    return html`
      <dl class="facts monitor-figures" aria-label="The work of all servers, last minute">
        <div data-figure="checks"><dt>Checks</dt><dd>${compact(checks)}<small>/s</small></dd></div>
        <div data-figure="failures"><dt>Failures</dt><dd>${compact(failures)}<small>/s</small></dd></div>
        <div data-figure="lag" title="From when a check was due to when it began"><dt>Lag p50, p99</dt><dd>${duration(lag?.p50)} <small>${duration(lag?.p99)}</small></dd></div>
        <div data-figure="outbox"><dt>Alerts waiting</dt><dd>${number(outbox?.waiting)} ${outbox?.waiting > 0 ? html`<small>for ${duration(outbox.oldest_ms)}</small>` : nothing}</dd></div>
        <div data-figure="held"><dt>Alerts held</dt><dd>${number(outbox?.held)}</dd></div>
        <div data-figure="dead"><dt>Alerts given up</dt><dd class=${outbox?.dead > 0 ? 'bad' : nothing}>${number(outbox?.dead)}</dd></div>
      </dl>
    `;
  }

  #first() {
    return html`
      <hs-empty heading="Nothing is watched yet" icon="monitors">
        A monitor asks a target again and again, by HTTP, TCP, DNS, TLS, Redis or PostgreSQL, or waits for a job to report.
        When it fails often enough an incident opens and its channels are told.
        ${session.can('operator') ? html`<a href="${href('/monitors')}?view=new">Add the first one</a>, then a <a href="${href('/monitors')}?view=channels">channel</a> to be told on.` : nothing}
      </hs-empty>
      <div class="monitor-first">
        <hs-card heading="Or keep them in a file" level="2">
          <pre><code>${EXAMPLE}</code></pre>
          <p>See what a file would change, then apply it:</p>
          <pre><code>hotstate monitors apply monitors.yaml --dry-run
hotstate monitors apply monitors.yaml</code></pre>
        </hs-card>
        <hs-card heading="Or by the API" level="2">
          <pre><code>curl ${location.origin}/monitors \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"Shop","type":"http",
       "target":"https://shop.example.com/"}'</code></pre>
          <p><a href="/docs">The reference</a> has every field.</p>
        </hs-card>
      </div>
    `;
  }

  #ask(part) {
    const wanted = { ...Object.fromEntries(FILTERS.map((name) => [name, this.query?.[name] ?? ''])), ...part };
    const search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
    navigate(search ? `/monitors?${search}` : '/monitors', { replace: true });
  }
}

customElements.define('monitors-page', MonitorsPage);
