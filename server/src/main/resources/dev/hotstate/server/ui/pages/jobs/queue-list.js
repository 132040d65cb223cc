// <queue-list>: where tasks wait: how many, for how long, how many run, and how many may.

import { html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { duration, number } from '../../format.js';
import { Poll } from '../../poll.js';
import { session } from '../../session.js';
import '../../components/hs-meter.js';
import '../../components/hs-notice.js';
import '../../components/hs-table.js';

const REFRESH_MS = 2000;

class QueueList extends LightElement {
  poll = new Poll(this, REFRESH_MS, (signal) => api.get('/queues', { query: { limit: 1000 }, signal, timeout: 5000 }));
  #columns = [
    { key: 'name', label: 'Queue', render: ({ name }) => html`<code>${name}</code>` },
    { key: 'depth', label: 'Waiting', numeric: true },
    { key: 'lag_ms', label: 'First waits for', numeric: true, render: ({ depth, lag_ms: lag }) => (depth > 0 ? duration(lag) : '–') },
    { key: 'running', label: 'Running', numeric: true, render: running },
    { key: 'concurrency', label: 'At most', numeric: true, render: (queue) => this.#limit(queue) },
  ];

  render() {
    return this.poll.view(({ items }) => html`
      <hs-table label="queues" noSearch .columns=${this.#columns} .rows=${items} .rowKey=${({ name }) => name} .sort=${{ key: 'name' }}
        .empty=${html`<hs-empty heading="No queue is known yet" icon="jobs">A queue is there as soon as a task waits in it, or a worker asks for it.</hs-empty>`}></hs-table>
    `);
  }

  #limit({ name, concurrency }) {
    if (!session.can('operator')) return concurrency === null ? 'any number' : number(concurrency);
    return html`<input type="number" min="0" max="100000" size="6" aria-label="Tasks of ${name} at once" placeholder="any" .value=${concurrency ?? ''} @change=${({ target }) => this.#set(name, target.value)} @click=${(event) => event.stopPropagation()}>`;
  }

  async #set(name, text) {
    try {
      const { concurrency } = await api.put(`/queues/${encodeURIComponent(name)}`, { concurrency: text === '' ? null : Number(text) });
      toast(concurrency === null ? 'Any number may run at once' : `At most ${number(concurrency)} run at once`, { detail: name });
    } catch (error) {
      toast('That did not work', { state: 'error', detail: error.message });
    }
    this.poll.refresh();
  }
}

function running({ running: now, concurrency }) {
  return html`${number(now)}${concurrency ? html`<hs-meter label="Running" value=${now} max=${concurrency} text="${now} of ${concurrency}"></hs-meter>` : nothing}`;
}

customElements.define('queue-list', QueueList);
