// <job-tasks job="…" .version=${'…'}>: the tasks of a job as a table, a page at a time; a row opens to the whole task. It is
// read again when `version` is another.

import { css, html } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { duration, number } from '../../format.js';
import { TASK_STATUSES, nameStyles, pill } from './statuses.js';
import './task-panel.js';
import '../../components/hs-table.js';

const SOONEST_MS = 1500;

class JobTasks extends LightElement {
  static properties = { job: {}, version: { attribute: false }, status: { state: true } };
  static styles = [nameStyles, css`.job-tasks { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.85rem; } .job-tasks select { inline-size: fit-content; }`];

  #columns = [
    { key: 'id', label: 'Task', render: ({ id, name }) => html`<span class="job-name">${name}</span>${name === id ? '' : html`<span class="job-sub"><code>${id}</code></span>`}` },
    { key: 'status', label: 'State', render: ({ status }) => pill(status) },
    { key: 'attempt', label: 'Attempt', numeric: true, render: ({ attempt, max_retries: more }) => `${number(attempt)} of ${number(more + 1)}` },
    { key: 'queue', label: 'Queue', needs: 'medium', render: ({ queue }) => html`<code>${queue}</code>` },
    { key: 'needs', label: 'Needs', numeric: true, needs: 'wide', render: ({ needs }) => number(needs.length) },
    { key: 'took', label: 'Took', numeric: true, needs: 'medium', render: took },
    { key: 'worker', label: 'Worker', needs: 'wide', render: ({ worker }) => worker ?? '–' },
  ];
  #due = null;

  constructor() {
    super();
    this.status = '';
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#due);
    this.#due = null;
  }

  updated(changed) {
    if (changed.has('status') && changed.get('status') !== undefined) this.renderRoot.querySelector('hs-table')?.restart();
    if (changed.has('version') && changed.get('version') !== undefined) this.#due ??= setTimeout(() => ((this.#due = null), this.#reload()), SOONEST_MS);
  }

  render() {
    return html`
      <div class="job-tasks">
        <select aria-label="State of tasks" @change=${({ target }) => (this.status = target.value)}>
          <option value="">Every state</option>
          ${TASK_STATUSES.map((status) => html`<option value=${status}>${status.charAt(0) + status.slice(1).toLowerCase()}</option>`)}
        </select>
        <hs-table label="tasks" noSearch .columns=${this.#columns} .source=${this.#source} .detail=${({ id, status }) => html`<task-panel job=${this.job} task=${id} status=${status}></task-panel>`} empty="No task is in this state"></hs-table>
      </div>
    `;
  }

  #source = ({ cursor, limit, signal }) => api.get(`/jobs/${encodeURIComponent(this.job)}/tasks`, { query: { cursor, limit, status: this.status }, signal });

  #reload() {
    this.renderRoot.querySelector('hs-table')?.reload();
  }
}

function took({ started_at: from, finished_at: to }) {
  return from ? duration(Math.max(0, (to ? Date.parse(to) : Date.now()) - Date.parse(from))) : '–';
}

customElements.define('job-tasks', JobTasks);
