// One job: how far it is, its tasks as a picture, as a timeline and as a table, the task that was chosen with its log, and
// all that can be done with the job. What is shown stands in the address: /ui/jobs/ID?view=timeline&task=TASK.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { confirm } from '../components/hs-confirm.js';
import { LightElement } from '../components/light.js';
import { toast } from '../components/hs-toast.js';
import { dateTime, duration, number, percent, relative } from '../format.js';
import { Live } from '../live.js';
import { Poll } from '../poll.js';
import { href, navigate } from '../router.js';
import { session } from '../session.js';
import { countsText, ended, pill } from './jobs/statuses.js';
import './jobs/job-gantt.js';
import './jobs/job-graph.js';
import './jobs/job-tasks.js';
import './jobs/task-panel.js';
import '../components/hs-card.js';
import '../components/hs-icon.js';
import '../components/hs-meter.js';
import '../components/hs-notice.js';

const REFRESH_MS = 3000;
const PICTURE_MS = 2000; // at most so often while the job changes
const LARGE = 2000; // tasks, beyond which the picture is read less often
const LARGE_MS = 15_000;
const TABS = { graph: 'Graph', timeline: 'Timeline', tasks: 'Tasks' };

export default class JobPage extends LightElement {
  static properties = { params: { attribute: false }, query: { attribute: false }, busy: { state: true }, graph: { state: true }, graphError: { state: true } };
  static styles = css`
    .job-title { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.85rem; }
    .job-title h1 { overflow-wrap: anywhere; min-inline-size: 0; unicode-bidi: isolate; }
    .job-back { display: inline-flex; align-items: center; gap: 0.25rem; margin-block-end: 0.5rem; color: var(--ink-faint); font-size: var(--small); text-decoration: none; --icon-size: 14px; }
    .job-back:hover { color: var(--ink); }
    .job-now { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => api.get(this.#path(), { signal, timeout: 5000 }), (job) => this.#arrived(job));
  live = new Live(this, {
    'jobs.changed': ({ data }) => (data?.id === this.params.id || data?.items?.some(({ id }) => id === this.params.id) || data?.more) && this.#soon(),
    reset: () => this.poll.refresh(),
  });
  #asked = 0;
  #asking = false;
  #shown = '';
  #due = null;

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#due);
    this.#due = null;
  }

  willUpdate(changed) {
    const before = changed.get('params');
    if (!before || before.id === this.params.id) return;
    this.graph = null;
    this.#shown = '';
    this.poll.data = null;
    this.poll.refresh();
  }

  updated(changed) {
    if (changed.has('query') && this.poll.data) this.#arrived(this.poll.data);
  }

  render() {
    const { data, error } = this.poll;
    if (error?.status === 404) return this.#gone();
    if (!data) return html`<div class="page"><h1 tabindex="-1">Job</h1>${this.poll.view(() => nothing)}</div>`;
    return html`
      <div class="page" data-job=${data.id} data-status=${data.status}>
        ${this.#head(data)}
        ${error ? html`<hs-banner state="down" heading="How it is now is not known">The server does not answer: ${error.message} What follows is what was known before.<button slot="actions" @click=${() => this.poll.refresh()}>Try again</button></hs-banner>` : nothing}
        ${this.#now(data)}
        <nav class="tabs" aria-label="Views of the job">
          ${Object.entries(TABS).map(([name, title]) => html`<a href=${this.#address({ view: name })} aria-current=${name === this.#view ? 'page' : nothing}>${title}</a>`)}
        </nav>
        ${this.#content(data)}
        ${this.#task(data)}
      </div>
    `;
  }

  #head(job) {
    return html`
      <header class="page-head">
        <div>
          <a class="job-back" href=${href('/jobs')}><hs-icon name="left"></hs-icon>Jobs</a>
          <div class="job-title"><h1 tabindex="-1">${job.name}</h1>${pill(job.status)}</div>
          <p class="wrap"><code>${job.id}</code>${job.created_by ? ` by ${job.created_by}` : ''}</p>
        </div>
        ${session.can('operator') ? this.#actions(job) : nothing}
      </header>
    `;
  }

  #actions({ status, counts }) {
    if (ended(status)) {
      return html`
        <div class="actions">
          ${counts.failed + counts.cancelled + counts.skipped > 0 ? html`<button name="retry" ?disabled=${this.busy} @click=${() => this.#do('rerun', 'What failed runs again', { from: 'failed' })}><hs-icon name="refresh"></hs-icon>Retry what failed</button>` : nothing}
        </div>
      `;
    }
    return html`
      <div class="actions">
        ${status === 'PAUSED'
          ? html`<button name="resume" ?disabled=${this.busy} @click=${() => this.#do('resume', 'It goes on')}><hs-icon name="play"></hs-icon>Resume</button>`
          : html`<button name="pause" ?disabled=${this.busy} @click=${() => this.#do('pause', 'It is paused')}><hs-icon name="pause"></hs-icon>Pause</button>`}
        <button name="cancel" ?disabled=${this.busy} @click=${this.#cancel}><hs-icon name="close"></hs-icon>Cancel</button>
      </div>
    `;
  }

  #now(job) {
    const { started_at: from, finished_at: to, counts } = job;
    return html`
      <hs-card>
        <div class="job-now">
          <hs-meter label="Progress" value=${job.progress} max="1" text=${percent(job.progress)} state=${counts.failed > 0 ? 'failed' : ended(job.status) ? job.status : 'running'}></hs-meter>
          <dl class="facts">
            <div data-fact="progress"><dt>Progress</dt><dd>${percent(job.progress)} of ${number(job.tasks)} tasks</dd></div>
            <div data-fact="counts"><dt>Tasks</dt><dd>${countsText(counts)}</dd></div>
            <div><dt>Submitted</dt><dd title=${dateTime(job.created_at)}>${relative(job.created_at)}</dd></div>
            ${job.start_at && !from ? html`<div><dt>Begins</dt><dd title=${dateTime(job.start_at)}>${relative(job.start_at)}</dd></div>` : nothing}
            <div><dt>Took</dt><dd>${from ? duration((to ? Date.parse(to) : Date.now()) - Date.parse(from)) : '–'}</dd></div>
            ${job.epoch > 1 ? html`<div data-fact="epoch"><dt>Run</dt><dd>number ${number(job.epoch)}</dd></div>` : nothing}
            ${job.live ? nothing : html`<div><dt>Known from</dt><dd>PostgreSQL</dd></div>`}
          </dl>
        </div>
      </hs-card>
    `;
  }

  #content(job) {
    if (this.#view === 'tasks') return html`<job-tasks job=${job.id} .version=${this.#version(job)}></job-tasks>`;
    if (!this.graph) return this.graphError ? html`<hs-error .error=${this.graphError} @retry=${() => this.#read()}></hs-error>` : html`<hs-loading label="Laying out ${number(job.tasks)} tasks…"></hs-loading>`;
    const pick = ({ detail }) => navigate(this.#address({ task: detail }).slice(href('').length));
    return this.#view === 'timeline'
      ? html`<job-gantt .graph=${this.graph} .chosen=${this.query?.task} @pick=${pick}></job-gantt>`
      : html`<job-graph .graph=${this.graph} .chosen=${this.query?.task} @pick=${pick}></job-graph>`;
  }

  #task(job) {
    const task = this.query?.task;
    if (!task || this.#view === 'tasks') return nothing;
    return html`
      <hs-card heading=${task} level="2">
        ${session.can('operator') && ended(job.status) ? html`<button slot="actions" name="rerun-task" ?disabled=${this.busy} @click=${() => this.#do('rerun', 'It runs again, with all that needs it', { task })}><hs-icon name="refresh"></hs-icon>Run again from here</button>` : nothing}
        <a slot="actions" class="button plain" href=${this.#address({ task: '' })}>Close</a>
        <task-panel job=${job.id} task=${task} status=${this.graph?.nodes.find(({ id }) => id === task)?.status ?? ''}></task-panel>
      </hs-card>
    `;
  }

  #gone() {
    return html`<div class="page"><div><a class="job-back" href=${href('/jobs')}><hs-icon name="left"></hs-icon>Jobs</a><h1 tabindex="-1">No such job</h1></div><p>There is no job <code>${this.params.id}</code>.</p></div>`;
  }

  get #view() {
    return TABS[this.query?.view] ? this.query.view : 'graph';
  }

  #address(part) {
    const wanted = { view: this.query?.view ?? '', task: this.query?.task ?? '', ...part };
    const search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value && value !== 'graph')).toString();
    return href(`/jobs/${encodeURIComponent(this.params.id)}`) + (search ? `?${search}` : '');
  }

  #version({ status, counts, epoch }) {
    return `${epoch} ${status} ${Object.values(counts ?? {}).join(',')}`;
  }

  // The picture is read again only when the counts say that it is another.
  #arrived(job) {
    if (this.#view === 'tasks') return;
    const version = this.#version(job);
    const wait = this.#asked + (job.tasks > LARGE ? LARGE_MS : PICTURE_MS) - Date.now();
    if (this.graph && version === this.#shown) return;
    if (this.#asking || (this.graph && wait > 0 && !ended(job.status))) return;
    this.#read(version);
  }

  async #read(version = '') {
    this.#asking = true;
    this.#asked = Date.now();
    const id = this.params.id;
    try {
      const graph = await api.get(`${this.#path()}/graph`, { timeout: 30_000 });
      if (id === this.params.id) Object.assign(this, { graph, graphError: null });
      this.#shown = version;
    } catch (error) {
      this.graphError = error;
    }
    this.#asking = false;
  }

  #soon() {
    this.#due ??= setTimeout(() => {
      this.#due = null;
      this.poll.refresh();
    }, 500);
  }

  async #cancel() {
    const { name } = this.poll.data;
    if (await confirm({ title: `Cancel ${name}?`, text: 'Tasks that have not ended are cancelled; what they did stays done. It can be run again from there.', action: 'Cancel the job', cancel: 'Keep it', danger: true })) this.#do('cancel', 'It is cancelled');
  }

  async #do(verb, done, body) {
    this.busy = true;
    try {
      this.poll.data = await api.post(`${this.#path()}/${verb}`, body);
      toast(done, { detail: this.poll.data.name });
    } catch (error) {
      toast('That did not work', { state: 'error', detail: error.message });
    }
    this.busy = false;
    this.poll.refresh();
  }

  #path() {
    return `/jobs/${encodeURIComponent(this.params.id)}`;
  }
}

customElements.define('job-page', JobPage);
