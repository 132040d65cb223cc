// <schedule-list>: jobs that come again: when, what happens when the last one has not ended, and the last one made.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { confirm } from '../../components/hs-confirm.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { dateTime, relative } from '../../format.js';
import { Poll } from '../../poll.js';
import { href } from '../../router.js';
import { session } from '../../session.js';
import { nameStyles } from './statuses.js';
import '../../components/hs-icon.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const REFRESH_MS = 5000;
const EXAMPLE = `curl -X PUT ${location.origin}/schedules/nightly \\
  -H 'Content-Type: application/yaml' --data-binary @- <<'.'
cron: "0 3 * * *"
time_zone: Europe/Berlin
overlap: skip
catch_up: last
job:
  name: Nightly
  tasks: [{id: back-up}, {id: prune, needs: [back-up]}]
.`;

class ScheduleList extends LightElement {
  static styles = [nameStyles, css`.schedule-example { margin: 0; padding: 0.85rem 1rem; border-radius: var(--radius-small); background: var(--sunken); overflow-x: auto; line-height: 1.6; }`];

  poll = new Poll(this, REFRESH_MS, (signal) => api.get('/schedules', { query: { limit: 1000 }, signal, timeout: 5000 }));
  #columns = [
    { key: 'id', label: 'Schedule', render: ({ id, job }) => html`<span class="job-name">${job?.name ?? id}</span><span class="job-sub"><code>${id}</code></span>` },
    { key: 'when', label: 'When', value: ({ cron, time_zone: zone, interval }) => (cron ? `${cron} ${zone}` : `every ${interval}`) },
    { key: 'overlap', label: 'Overlap', needs: 'medium' },
    { key: 'catch_up', label: 'Missed', needs: 'medium' },
    { key: 'next_at', label: 'Next', render: ({ next_at: at, paused }) => (paused ? 'paused' : html`<span title=${dateTime(at)}>${relative(at)}</span>`) },
    { key: 'last_job', label: 'Last job', render: ({ last_job: job }) => (job ? html`<a href=${href(`/jobs/${job}`)}><code>${job}</code></a>` : '–') },
    { key: 'do', label: '', sortable: false, render: (schedule) => this.#actions(schedule) },
  ];

  render() {
    return this.poll.view(({ items }) => html`
      <hs-table label="schedules" noSearch .columns=${this.#columns} .rows=${items}
        .empty=${html`<hs-empty heading="Nothing is scheduled" icon="jobs">A schedule runs a job by cron or at an interval, once for each time, however many servers there are.</hs-empty>`}></hs-table>
      ${items.length === 0 ? html`<pre class="schedule-example"><code>${EXAMPLE}</code></pre>` : nothing}
    `);
  }

  #actions({ id }) {
    if (!session.can('operator')) return nothing;
    return html`<button class="icon plain" aria-label="Delete ${id}" title="Delete" @click=${() => this.#delete(id)}><hs-icon name="bin"></hs-icon></button>`;
  }

  async #delete(id) {
    if (!(await confirm({ title: `Delete the schedule ${id}?`, text: 'The jobs that it made stay.', action: 'Delete', danger: true }))) return;
    try {
      await api.delete(`/schedules/${encodeURIComponent(id)}`);
      toast('The schedule is deleted', { detail: id });
    } catch (error) {
      toast('Could not delete it', { state: 'error', detail: error.message });
    }
    this.poll.refresh();
  }
}

customElements.define('schedule-list', ScheduleList);
