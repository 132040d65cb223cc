// <worker-list>: who asked for tasks lately, and what they hold.

import { html } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { dateTime, number, relative } from '../../format.js';
import { Poll } from '../../poll.js';
import { href } from '../../router.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const REFRESH_MS = 3000;

class WorkerList extends LightElement {
  poll = new Poll(this, REFRESH_MS, (signal) => api.get('/workers', { query: { limit: 1000 }, signal, timeout: 5000 }));
  #columns = [
    { key: 'name', label: 'Worker', render: ({ name }) => html`<code>${name}</code>` },
    { key: 'queues', label: 'Queues', value: ({ queues }) => queues.join(', ') },
    { key: 'running', label: 'Holds', numeric: true },
    { key: 'seen_at', label: 'Last asked', render: ({ seen_at: at }) => at ? html`<span title=${dateTime(at)}>${relative(at)}</span>` : '–' },
  ];

  render() {
    return this.poll.view(({ items }) => html`
      <hs-table label="workers" .columns=${this.#columns} .rows=${items} .rowKey=${({ name }) => name} .detail=${held}
        .empty=${html`<hs-empty heading="Nobody works" icon="jobs">A worker is here as soon as it asks for tasks: a Java worker, or any program by <code>POST /tasks/claim</code>.</hs-empty>`}></hs-table>
    `);
  }
}

function held({ tasks, running }) {
  if (tasks.length === 0) return html`<p class="muted">It holds no task now.</p>`;
  const more = running - tasks.length;
  return html`
    <ul>${tasks.map(({ job_id: job, task_id: task }) => html`<li><a href="${href(`/jobs/${job}`)}?task=${task}"><code>${job}</code> ${task}</a></li>`)}</ul>
    ${more > 0 ? html`<p class="muted">and ${number(more)} more</p>` : ''}
  `;
}

customElements.define('worker-list', WorkerList);
