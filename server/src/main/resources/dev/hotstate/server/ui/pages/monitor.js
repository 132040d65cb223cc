// One monitor: how it is and since when, what it took, how it was, and its incidents; and all that can be done with it.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { confirm } from '../components/hs-confirm.js';
import { LightElement } from '../components/light.js';
import { toast } from '../components/hs-toast.js';
import { count, dateTime, duration, elapsed, number, relative, time, timeOrDate, words } from '../format.js';
import { Live } from '../live.js';
import { Poll } from '../poll.js';
import { href, navigate } from '../router.js';
import { session } from '../session.js';
import { TYPES } from './monitors/monitor-document.js';
import './monitors/check-phases.js';
import './monitors/incident-list.js';
import './monitors/monitor-form.js';
import './monitors/monitor-history.js';
import './monitors/ping-url.js';
import '../components/hs-card.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-states.js';

const REFRESH_MS = 4000;
const CHECK_MS = 60_000; // beyond the longest timeout that is usual
const SOON_DAYS = 14;

export default class MonitorPage extends LightElement {
  static properties = { params: { attribute: false }, query: { attribute: false }, busy: { state: true }, checked: { state: true } };
  static styles = css`
    .monitor-title { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.85rem; }
    .monitor-title h1 { overflow-wrap: anywhere; min-inline-size: 0; unicode-bidi: isolate; }
    .monitor-back { display: inline-flex; align-items: center; gap: 0.25rem; margin-block-end: 0.5rem; color: var(--ink-faint); font-size: var(--small); text-decoration: none; --icon-size: 14px; }
    .monitor-back:hover { color: var(--ink); }
    .monitor-target { overflow-wrap: anywhere; }
    .monitor-now { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; }
    .monitor-now .beats { --hs-states-height: 34px; max-inline-size: 40rem; }
    .monitor-why { padding: 0.7rem 0.9rem; border-radius: var(--radius-small); background: var(--down-tint); color: var(--down); overflow-wrap: anywhere; }
    .monitor-why.mild { background: var(--degraded-tint); color: var(--degraded); }
    .monitor-two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; align-items: start; }
    .monitor-soon { color: var(--degraded); font-weight: 600; }
    .monitor-definition { display: grid; grid-template-columns: minmax(7rem, auto) minmax(0, 1fr); gap: 0.45rem 1.25rem; margin: 0; font-size: 0.875rem; }
    .monitor-definition dt { color: var(--ink-faint); }
    .monitor-definition dd { margin: 0; overflow-wrap: anywhere; }
    .monitor-definition code { display: block; }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => api.get(this.#path(), { signal, timeout: 5000 }));
  live = new Live(this, {
    'monitors.changed': ({ data }) => data?.items?.some(({ id }) => id === this.params.id) && this.poll.refresh(),
    'monitors.redefined': ({ data }) => (data?.more || data?.ids?.includes(this.params.id)) && this.poll.refresh(),
    reset: () => this.poll.refresh(),
  });

  willUpdate(changed) {
    const before = changed.get('params');
    if (!before || before.id === this.params.id) return;
    this.checked = null;
    this.poll.data = null;
    this.poll.refresh();
  }

  render() {
    const { data, error } = this.poll;
    if (error?.status === 404) return this.#gone();
    if (!data) return html`<div class="page"><h1 tabindex="-1">Monitor</h1>${this.poll.view(() => nothing)}</div>`;
    if (this.query?.view === 'edit' && session.can('operator')) return this.#edit(data);
    const state = error ? 'unknown' : data.state ?? 'unknown';
    return html`
      <div class="page" data-monitor=${data.id} data-state=${state}>
        ${this.#head(data, state)}
        ${error ? html`<hs-banner state="down" heading="How it is now is not known">The server does not answer: ${error.message} What follows is what was known before.<button slot="actions" @click=${() => this.poll.refresh()}>Try again</button></hs-banner>` : nothing}
        ${this.#now(data, state)}
        <monitor-history .monitor=${data.id}></monitor-history>
        <section class="section">
          <h2>Incidents</h2>
          <incident-list monitor=${data.id}></incident-list>
        </section>
        <div class="monitor-two">
          ${this.#definition(data)}
          ${this.#badge(data)}
        </div>
      </div>
    `;
  }

  #head(monitor, state) {
    return html`
      <header class="page-head">
        <div>
          ${back()}
          <div class="monitor-title"><h1 tabindex="-1">${monitor.name}</h1><hs-pill state=${state}></hs-pill></div>
          <p class="monitor-target">${monitor.target ?? TYPES[monitor.type]?.label ?? monitor.type}</p>
        </div>
        ${session.can('operator') ? this.#actions(monitor) : nothing}
      </header>
    `;
  }

  #actions({ id, type, paused }) {
    return html`
      <div class="actions">
        ${type === 'push' ? nothing : html`<button name="check" ?disabled=${this.busy} @click=${this.#check}><hs-icon name="refresh"></hs-icon>Check now</button>`}
        ${paused
          ? html`<button name="resume" ?disabled=${this.busy} @click=${() => this.#do('resume', 'It is checked again')}><hs-icon name="play"></hs-icon>Resume</button>`
          : html`<button name="pause" ?disabled=${this.busy} @click=${() => this.#do('pause', 'It is paused')}><hs-icon name="pause"></hs-icon>Pause</button>`}
        <a class="button" data-action="edit" href="${href(`/monitors/${id}`)}?view=edit"><hs-icon name="edit"></hs-icon>Edit</a>
        <button class="icon" name="delete" aria-label="Delete" title="Delete" ?disabled=${this.busy} @click=${this.#delete}><hs-icon name="bin"></hs-icon></button>
      </div>
    `;
  }

  #now(monitor, state) {
    const items = (monitor.beats ?? []).map(([at, was, ms]) => ({ state: was, text: `${timeOrDate(at)} ${was}, ${duration(ms)}` }));
    return html`
      <hs-card>
        <div class="monitor-now">
          ${this.checked ? this.#result(this.checked) : nothing}
          ${monitor.error && ['down', 'degraded', 'stale'].includes(monitor.state) ? html`<div class="monitor-why ${monitor.state === 'down' ? '' : 'mild'}">${monitor.error}</div>` : nothing}
          <hs-states class="beats" label="Last checks" .items=${items} max="30"></hs-states>
          <dl class="facts">
            <div data-fact="state"><dt>${sinceWord(state)}</dt><dd>${since(monitor, state)}</dd></div>
            <div data-fact="latency"><dt>Latency</dt><dd>${duration(monitor.latency_ms)}</dd></div>
            ${monitor.status_code ? html`<div><dt>Status code</dt><dd>${monitor.status_code}</dd></div>` : nothing}
            <div><dt>Checked</dt><dd title=${dateTime(monitor.checked_at)}>${relative(monitor.checked_at)}</dd></div>
            <div><dt>${monitor.type === 'push' ? 'Expected' : 'Next check'}</dt><dd title=${dateTime(monitor.next_run_at)}>${monitor.checking ? 'now' : relative(monitor.next_run_at)}</dd></div>
            ${monitor.failure_count > 0 ? html`<div><dt>Failures in a row</dt><dd>${number(monitor.failure_count)}</dd></div>` : nothing}
            ${monitor.certificate_days_left === null || monitor.certificate_days_left === undefined ? nothing : html`<div data-fact="certificate"><dt>Certificate</dt><dd class=${monitor.certificate_days_left < SOON_DAYS ? 'monitor-soon' : nothing}>${count(monitor.certificate_days_left, 'day')} left</dd></div>`}
            ${monitor.started_at ? html`<div><dt>Job began</dt><dd title=${dateTime(monitor.started_at)}>${relative(monitor.started_at)}</dd></div>` : nothing}
          </dl>
          ${Object.values(monitor.phases ?? {}).some((ms) => ms !== null) ? html`<check-phases .phases=${monitor.phases} .total=${monitor.latency_ms}></check-phases>` : nothing}
          ${monitor.ping_url ? html`<ping-url url=${monitor.ping_url}></ping-url>` : nothing}
        </div>
      </hs-card>
    `;
  }

  #result({ ok, status_code: code, latency_ms: ms, error, recorded, at }) {
    const text = ok ? `It answered${code ? ` ${code}` : ''} in ${duration(ms)}.` : error;
    return html`
      <hs-banner data-result=${ok ? 'ok' : 'failed'} state=${ok ? 'up' : 'down'} heading="${ok ? 'Well' : 'Failed'}, checked at ${time(at)}">
        ${text}${recorded ? nothing : ' It was asked, but does not count.'}
        <button slot="actions" @click=${() => (this.checked = null)}>Close</button>
      </hs-banner>
    `;
  }

  #definition(monitor) {
    const facts = [
      ['Id', html`<code>${monitor.id}</code>`],
      ['Type', TYPES[monitor.type]?.label ?? monitor.type],
      [monitor.type === 'push' ? 'Reports' : 'Checked', monitor.cron ? html`<code>${monitor.cron} ${monitor.time_zone}</code>` : `every ${monitor.interval}`],
      [monitor.type === 'push' ? 'Late by at most' : 'Answers within', monitor.grace ?? monitor.timeout],
      ['Down after', `${count(monitor.failure_threshold, 'failure')}${monitor.retries > 0 && monitor.type !== 'push' ? `, each with ${count(monitor.retries, 'second look')}` : ''}`],
      ['Expectations', monitor.assertions?.length ? monitor.assertions.map((text) => html`<code>${text}</code>`) : null],
      ['Tags', monitor.tags?.join(', ')],
      ['Tells', monitor.alerts?.length ? monitor.alerts.join(', ') : 'nobody'],
      ['Depends on', monitor.depends_on?.length ? monitor.depends_on.map((id) => html`<a href=${href(`/monitors/${id}`)}>${id}</a> `) : null],
      ['Defined', monitor.applied ? 'by a file that was applied' : null],
      ['Changed', html`<span title=${dateTime(monitor.updated_at)}>${relative(monitor.updated_at)}, version ${number(monitor.version)}</span>`],
    ];
    return html`
      <hs-card heading="Definition" level="2">
        <dl class="monitor-definition">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      </hs-card>
    `;
  }

  #badge({ id, name, tags }) {
    if (tags?.includes('private')) return nothing;
    const path = `/badge/${id}.svg`;
    return html`
      <hs-card heading="Badge" level="2">
        <p><img src=${path} alt="State of ${name}"> <img src="${path}?kind=uptime&window=30d" alt="Uptime of ${name}"></p>
        <p class="small wrap"><code>${location.origin}${path}</code></p>
        <p class="muted small">Anybody can see it, as all that stands on the <a href=${href('/status')} target="_blank" rel="noopener">status page</a>. The tag “private” keeps a monitor off both.</p>
      </hs-card>
    `;
  }

  #edit(monitor) {
    const close = () => navigate(`/monitors/${monitor.id}`);
    return html`
      <div class="page">
        <header class="page-head"><div>${back()}<h1 tabindex="-1">Edit ${monitor.name}</h1></div></header>
        <hs-card><monitor-form .monitor=${monitor} @saved=${() => (this.poll.refresh(), close())} @closed=${close}></monitor-form></hs-card>
      </div>
    `;
  }

  #gone() {
    return html`<div class="page"><div>${back()}<h1 tabindex="-1">No such monitor</h1></div><p>There is no monitor <code>${this.params.id}</code>; it may have been deleted.</p></div>`;
  }

  async #check() {
    this.busy = true;
    try {
      const result = await api.post(`${this.#path()}/check`, undefined, { timeout: CHECK_MS });
      this.checked = { ...result, at: result.checked_at };
    } catch (error) {
      toast('It could not be checked', { state: 'error', detail: error.message });
    }
    this.busy = false;
    this.poll.refresh();
  }

  async #do(verb, done) {
    this.busy = true;
    try {
      this.poll.data = await api.post(`${this.#path()}/${verb}`);
      toast(done, { detail: this.poll.data.name });
    } catch (error) {
      toast('That did not work', { state: 'error', detail: error.message });
    }
    this.busy = false;
    this.poll.refresh();
  }

  async #delete() {
    const { name } = this.poll.data;
    const yes = await confirm({ title: `Delete ${name}?`, text: 'Its history goes too, and an open incident ends without an alert. This cannot be undone.', action: 'Delete', danger: true });
    if (!yes) return;
    try {
      await api.delete(this.#path());
      toast('The monitor is deleted', { detail: name });
      navigate('/monitors');
    } catch (error) {
      toast('Could not delete it', { state: 'error', detail: error.message });
    }
  }

  #path() {
    return `/monitors/${encodeURIComponent(this.params.id)}`;
  }
}

function back() {
  return html`<a class="monitor-back" href=${href('/monitors')}><hs-icon name="left"></hs-icon>Monitors</a>`;
}

function sinceWord(state) {
  return state === 'down' || state === 'degraded' ? `${words(state)} for` : state === 'up' ? 'Last well' : 'State';
}

function since({ first_failure_at: failed, last_ok_at: well }, state) {
  if (state === 'down' || state === 'degraded') return html`<span title=${dateTime(failed)}>${failed ? elapsed(failed) : '–'}</span>`;
  return state === 'up' ? html`<span title=${dateTime(well)}>${relative(well)}</span>` : words(state);
}

customElements.define('monitor-page', MonitorPage);
