// <incident-story .incident=${id} @acknowledged=${…}></incident-story>: what happened in one incident, and the fate of
// each message about it: to which channel, how often it was tried, why it failed. What was given up can be sent again.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { count, dateTime, number, relative } from '../../format.js';
import { Poll } from '../../poll.js';
import { session } from '../../session.js';
import '../../components/hs-pill.js';

const REFRESH_MS = 3000;
const HAPPENED = {
  opened: 'It failed as often as its threshold says',
  held: 'Alerts are held: it depends on one that is down',
  covered: 'One that it depends on failed in its maintenance',
  released: 'Alerts were released',
  acknowledged: 'Acknowledged',
  reminded: 'Channels were reminded',
  closed: 'It is well again',
  abandoned: 'Ended without an alert',
};

class IncidentStory extends LightElement {
  static properties = { incident: { attribute: false }, busy: { state: true } };
  static styles = css`
    .story { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1.25rem 2rem; }
    @container hs-table (width < 860px) { .story { grid-template-columns: minmax(0, 1fr); } }
    .story h3 { margin-block-end: 0.5rem; font-size: var(--tiny); font-weight: 500; letter-spacing: 0; color: var(--ink-faint); }
    .story ol { display: grid; gap: 0.75rem; margin: 0; padding: 0 0 0 1rem; border-inline-start: 2px solid var(--line); list-style: none; font-size: 0.875rem; }
    .story ol + p { margin-block-start: 0.85rem; }
    .story ol small { display: block; color: var(--ink-faint); overflow-wrap: anywhere; }
    .story .deliveries { display: grid; gap: 0.6rem; margin: 0; padding: 0; list-style: none; font-size: 0.875rem; }
    .story .deliveries li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
    .story .deliveries small { flex-basis: 100%; color: var(--ink-faint); overflow-wrap: anywhere; }
    .story .deliveries button { min-block-size: 1.75rem; padding-inline: 0.6rem; font-size: var(--small); }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => api.get(`/incidents/${this.incident}`, { signal }));

  render() {
    return this.poll.view((story) => html`
      <div class="story" data-incident=${story.id}>
        <div>
          <h3>What happened</h3>
          <ol>${story.timeline.map(({ at, kind, detail }) => html`<li>${HAPPENED[kind] ?? kind}<small title=${dateTime(at)}>${relative(at)}${detail ? `: ${detail}` : nothing}</small></li>`)}</ol>
          ${story.open && !story.acknowledged_at && session.can('operator') ? html`<p class="buttons"><button name="acknowledge" ?disabled=${this.busy} @click=${this.#acknowledge}>Acknowledge</button><span class="muted small">No more reminders, then.</span></p>` : nothing}
        </div>
        <div>
          <h3>Who was told</h3>
          ${story.deliveries.length === 0 ? html`<p class="muted small">Nobody: the monitor has no channels.</p>` : html`<ul class="deliveries">${story.deliveries.map((delivery) => this.#delivery(delivery))}</ul>`}
        </div>
      </div>`);
  }

  #delivery(delivery) {
    const { id, channel, event, sequence, status, attempts, error, next_attempt_at: next, delivered_at: delivered } = delivery;
    const about = [
      attempts > 0 ? count(attempts, 'attempt') : 'not tried yet',
      delivered ? `delivered ${relative(delivered)}` : nothing,
      next && status === 'pending' ? `next try ${relative(next)}` : nothing,
      error || nothing,
    ].filter((part) => part !== nothing);
    return html`
      <li data-delivery=${id} data-status=${status}>
        <hs-pill state=${status}></hs-pill>
        <span><b>${channel}</b> ${event.replace('incident.', '')}${sequence > 0 ? ` ${number(sequence)}` : nothing}</span>
        ${status === 'dead' && session.can('operator') ? html`<button name="replay" ?disabled=${this.busy} @click=${() => this.#replay(id)}>Send again</button>` : nothing}
        <small title="Idempotency key ${delivery.idempotency_key}">${about.join(', ')}</small>
      </li>
    `;
  }

  #acknowledge() {
    return this.#do(() => api.post(`/incidents/${this.incident}/ack`), 'Acknowledged', () => this.dispatchEvent(new Event('acknowledged')));
  }

  #replay(id) {
    return this.#do(() => api.post(`/deliveries/${id}/replay`), 'It will be sent again', () => {});
  }

  async #do(call, done, then) {
    this.busy = true;
    try {
      await call();
      toast(done);
      then();
    } catch (error) {
      toast('That did not work', { state: 'error', detail: error.message });
    }
    this.busy = false;
    this.poll.refresh();
  }
}

customElements.define('incident-story', IncidentStory);
