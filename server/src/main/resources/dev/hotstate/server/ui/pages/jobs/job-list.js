// <job-list .status=${'RUNNING'} @asked>: jobs, newest first, a page at a time from the server, kept up to date.

import { html } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, duration, number, percent, relative } from '../../format.js';
import { Live } from '../../live.js';
import { href, navigate } from '../../router.js';
import { JOB_STATUSES, countsText, ended, nameStyles, pill } from './statuses.js';
import '../../components/hs-meter.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const REFRESH_MS = 5000;
const SOONEST_MS = 700;

class JobList extends LightElement {
  static properties = { status: {} };
  static styles = nameStyles;

  live = new Live(this, { 'jobs.changed': () => this.#soon(), reset: () => this.#soon() });
  #columns = [
    { key: 'name', label: 'Job', render: name },
    { key: 'status', label: 'State', render: ({ status }) => pill(status) },
    { key: 'progress', label: 'Progress', render: progress },
    { key: 'tasks', label: 'Tasks', numeric: true, needs: 'medium', render: ({ tasks }) => number(tasks) },
    { key: 'took', label: 'Took', numeric: true, needs: 'wide', render: took },
    { key: 'created_at', label: 'Submitted', needs: 'medium', render: ({ created_at: at }) => html`<span title=${dateTime(at)}>${relative(at)}</span>` },
  ];
  #timer = null;
  #due = null;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => document.hidden || this.#reload(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    clearTimeout(this.#due);
    this.#due = null;
  }

  updated(changed) {
    if (changed.has('status') && changed.get('status') !== undefined) this.renderRoot.querySelector('hs-table')?.restart();
  }

  render() {
    return html`
      <div class="page">
        <div class="job-filters" role="group" aria-label="State">
          ${['', ...JOB_STATUSES].map((status) => html`
            <button aria-pressed=${status === this.status ? 'true' : 'false'} data-filter=${status || 'ALL'} @click=${() => this.#ask(status)}>${status ? status.charAt(0) + status.slice(1).toLowerCase() : 'All'}</button>`)}
        </div>
        <hs-table label="jobs" placeholder="Search by id, name or author" .columns=${this.#columns} .source=${this.#source} activates
          .empty=${empty(this.status)} @activate=${({ detail }) => navigate(`/jobs/${detail.id}`)}></hs-table>
      </div>
    `;
  }

  #source = ({ q, cursor, limit, signal }) => api.get('/jobs', { query: { q, cursor, limit, status: this.status }, signal });

  #ask(status) {
    this.dispatchEvent(new CustomEvent('asked', { detail: { status } }));
  }

  // News come several a second while much is done: one reading answers all that came meanwhile.
  #soon() {
    this.#due ??= setTimeout(() => {
      this.#due = null;
      this.#reload();
    }, SOONEST_MS);
  }

  #reload() {
    this.renderRoot.querySelector('hs-table')?.reload();
  }
}

function name({ id, name: title, created_by: author }) {
  return html`<a class="job-name" href=${href(`/jobs/${id}`)}>${title}</a><span class="job-sub"><code>${id}</code>${author ? ` by ${author}` : ''}</span>`;
}

function progress({ status, progress: share, counts }) {
  return html`
    <div class="job-progress" title=${countsText(counts)}>
      <hs-meter label="Progress" value=${share} max="1" text=${percent(share)} state=${counts?.failed > 0 ? 'failed' : ended(status) ? status : 'running'}></hs-meter>
      <small>${percent(share)}${counts?.failed > 0 ? `, ${number(counts.failed)} failed` : ''}</small>
    </div>
  `;
}

function took({ started_at: from, finished_at: to }) {
  return from ? duration((to ? Date.parse(to) : Date.now()) - Date.parse(from)) : '–';
}

function empty(status) {
  if (status) return html`<hs-empty heading="No job is ${status.toLowerCase()}" icon="jobs"></hs-empty>`;
  return html`
    <hs-empty heading="No jobs yet" icon="jobs">
      A job is a set of tasks, each of which may need others. <a href="${href('/jobs')}?view=new">Run the first one</a>,
      or by the command line: <code>hotstate jobs run job.yaml --follow</code>
    </hs-empty>
  `;
}

customElements.define('job-list', JobList);
