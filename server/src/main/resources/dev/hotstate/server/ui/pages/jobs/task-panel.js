// <task-panel job task status>: one task: what it is, why it is where it is, what went in and came out, its log.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, duration, number, relative } from '../../format.js';
import { Poll } from '../../poll.js';
import { pill } from './statuses.js';
import './task-log.js';
import '../../components/hs-notice.js';

const REFRESH_MS = 3000;
const ENDED = ['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'];

class TaskPanel extends LightElement {
  static properties = { job: {}, task: {}, status: {} };
  static styles = css`
    .task-panel { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
    .task-why { padding: 0.6rem 0.85rem; border-radius: var(--radius-small); background: var(--unknown-tint); color: var(--ink-soft); overflow-wrap: anywhere; }
    .task-error { padding: 0.6rem 0.85rem; border-radius: var(--radius-small); background: var(--down-tint); color: var(--down); white-space: pre-wrap; overflow-wrap: anywhere; }
    .task-data { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1rem; }
    .task-data pre { margin: 0; max-block-size: 14rem; overflow: auto; padding: 0.7rem 0.9rem; border-radius: var(--radius-small); background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
    .task-data h4 { margin-block-end: 0.35rem; font-size: var(--small); color: var(--ink-faint); font-weight: 550; }
    .task-needs { display: flex; flex-wrap: wrap; gap: 0.3rem 0.6rem; }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => this.#ask(signal));

  updated(changed) {
    if (changed.has('task') && changed.get('task') !== undefined) {
      this.poll.data = null;
      this.poll.refresh();
    } else if (changed.has('status') && changed.get('status') !== undefined) this.poll.refresh();
  }

  async #ask(signal) {
    const path = `/jobs/${encodeURIComponent(this.job)}/tasks/${encodeURIComponent(this.task)}`;
    const task = await api.get(path, { signal, timeout: 5000 });
    const why = ENDED.includes(task.status) && task.status !== 'SKIPPED' ? null : await api.get(`${path}/why`, { signal, timeout: 5000 });
    return { task, why };
  }

  render() {
    return this.poll.view(({ task, why }) => html`
      <div class="task-panel" data-task=${task.id} data-status=${task.status}>
        ${task.error && task.status !== 'SUCCEEDED' ? html`<div class="task-error">${task.error}</div>` : nothing}
        ${why ? html`<div class="task-why" data-why>${why.reason}</div>` : nothing}
        <dl class="facts">
          <div><dt>State</dt><dd>${pill(task.status)}</dd></div>
          <div><dt>Attempt</dt><dd>${number(task.attempt)} of ${number(task.max_retries + 1)}</dd></div>
          <div><dt>Runs</dt><dd>${runs(task.run)}</dd></div>
          <div><dt>Queue</dt><dd><code>${task.queue}</code>${task.priority ? `, priority ${task.priority}` : ''}</dd></div>
          ${task.worker ? html`<div><dt>Worker</dt><dd><code>${task.worker}</code></dd></div>` : nothing}
          ${task.started_at ? html`<div><dt>Began</dt><dd title=${dateTime(task.started_at)}>${relative(task.started_at)}</dd></div>` : nothing}
          ${task.started_at && task.finished_at ? html`<div><dt>Took</dt><dd>${duration(Date.parse(task.finished_at) - Date.parse(task.started_at))}</dd></div>` : nothing}
          ${task.due_at ? html`<div><dt>Tried again</dt><dd title=${dateTime(task.due_at)}>${relative(task.due_at)}</dd></div>` : nothing}
          ${task.lease_until ? html`<div><dt>Held until</dt><dd title=${dateTime(task.lease_until)}>${relative(task.lease_until)}</dd></div>` : nothing}
          <div><dt>Rule</dt><dd><code>${task.trigger}</code></dd></div>
          <div><dt>Timeout</dt><dd>${task.timeout}</dd></div>
        </dl>
        ${task.needs.length > 0 ? html`<div class="task-needs"><span class="muted small">Needs</span>${task.needs.slice(0, 50).map((need) => html`<a href="?task=${need}"><code>${need}</code></a>`)}${task.needs.length > 50 ? html`<span class="muted">and ${number(task.needs.length - 50)} more</span>` : nothing}</div>` : nothing}
        ${task.input !== null || task.result !== null ? html`<div class="task-data">${data('Input', task.input)}${data('Result', task.result)}</div>` : nothing}
        <task-log job=${this.job} task=${task.id} attempt=${task.attempt}></task-log>
      </div>
    `);
  }
}

function runs(run) {
  if (run?.shell) return html`<code title=${run.shell}>sh</code>`;
  if (run?.http) return html`<code>${run.http.method} ${run.http.url}</code>`;
  return run?.handler ? html`handler <code>${run.handler}</code>` : 'an external worker';
}

function data(title, value) {
  return value === null || value === undefined ? nothing : html`<div><h4>${title}</h4><pre><code>${JSON.stringify(value, null, 2)}</code></pre></div>`;
}

customElements.define('task-panel', TaskPanel);
