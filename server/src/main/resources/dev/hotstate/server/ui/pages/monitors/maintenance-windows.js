// <maintenance-windows></maintenance-windows>: times in which checks go on and nobody is alerted; once, or by a cron.

import { html, nothing } from 'lit';
import { api } from '../../api.js';
import { confirm } from '../../components/hs-confirm.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { dateTime, relative } from '../../format.js';
import { Poll } from '../../poll.js';
import { session } from '../../session.js';
import { Form, filled, listOf } from './fields.js';
import '../../components/hs-card.js';
import '../../components/hs-notice.js';
import '../../components/hs-pill.js';
import '../../components/hs-table.js';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

class MaintenanceWindows extends LightElement {
  static properties = { adding: { state: true }, busy: { state: true } };

  poll = new Poll(this, 10_000, (signal) => api.get('/maintenance', { query: { limit: 1000 }, signal }));
  form = new Form(this, 'window');

  willUpdate() {
    this.form.rendering();
  }

  render() {
    return html`
      <section class="section">
        ${session.can('operator') && !this.adding ? html`<div><button name="add-window" @click=${this.#add}>Add a window</button></div>` : nothing}
        ${this.adding ? html`<hs-card heading="A new maintenance window" level="2">${this.#new()}</hs-card>` : nothing}
        ${this.poll.view(({ items }) => html`
          <hs-table label="maintenance windows" noSearch .rows=${items} .columns=${this.#columns()}
            .empty=${html`<hs-empty heading="No maintenance is planned" icon="monitors">During a window monitors are still checked, but nobody is alerted and the time does not count against uptime.</hs-empty>`}></hs-table>`)}
      </section>
    `;
  }

  #columns() {
    return [
      { key: 'title', label: 'Title', render: ({ title }) => html`<b>${title}</b>` },
      { key: 'active', label: 'Now', value: ({ active }) => (active ? 0 : 1), render: state },
      { key: 'when', label: 'When', sortable: false, render: when },
      { key: 'for', label: 'For', sortable: false, needs: 'medium', render: ({ ids = [], tags = [] }) => [...ids, ...tags.map((tag) => `tag ${tag}`)].join(', ') || '–' },
      ...(session.can('operator') ? [{ key: 'actions', label: 'Actions', sortable: false, numeric: true, render: (window) => html`<button name="delete" @click=${() => this.#delete(window)}>Delete</button>` }] : []),
    ];
  }

  #new() {
    const again = this.form.values.kind === 'cron';
    return html`
      <form class="form" novalidate @submit=${this.#submitted}>
        ${this.form.error ? html`<hs-error .error=${this.form.error} no-retry></hs-error>` : nothing}
        <fieldset>
          ${this.form.field('title', { label: 'Title', placeholder: 'Maintenance' })}
          ${this.form.field('kind', { label: 'How often', kind: 'select', options: { once: 'Once', cron: 'Again and again' } })}
          ${again ? html`
            ${this.form.field('cron', { label: 'Begins by this cron', placeholder: '0 2 * * 0', hint: 'Minute, hour, day, month, day of the week.' })}
            ${this.form.field('duration', { label: 'Lasts', placeholder: '2h' })}
            ${this.form.field('time_zone', { label: 'Time zone', placeholder: 'UTC' })}` : html`
            ${this.form.field('starts_at', { label: `Begins (${ZONE})`, kind: 'datetime-local' })}
            ${this.form.field('ends_at', { label: 'Ends', kind: 'datetime-local' })}`}
          ${this.form.field('ids', { label: 'Monitors', placeholder: 'ids, with commas' })}
          ${this.form.field('tags', { label: 'Or all with these tags', placeholder: 'shop, production' })}
        </fieldset>
        <div class="buttons">
          <button class="primary" name="save" ?disabled=${this.busy}>Add the window</button>
          <button type="button" class="plain" @click=${() => (this.adding = false)}>Cancel</button>
        </div>
      </form>
    `;
  }

  #add() {
    this.form.begin({ kind: 'once', time_zone: ZONE });
    this.adding = true;
  }

  async #submitted(event) {
    event.preventDefault();
    this.busy = true;
    try {
      await api.post('/maintenance', document(this.form.values));
      this.adding = false;
      toast('The window is added');
      this.poll.refresh();
    } catch (error) {
      await this.form.refuse(error);
    }
    this.busy = false;
  }

  async #delete({ id, title, active }) {
    const text = active ? 'It is in force now: its monitors may alert at once.' : 'It will not begin again.';
    if (!(await confirm({ title: `Delete ${title}?`, text, action: 'Delete', danger: true }))) return;
    try {
      await api.delete(`/maintenance/${id}`);
      toast('The window is deleted');
    } catch (error) {
      toast('Could not delete it', { state: 'error', detail: error.message });
    }
    this.poll.refresh();
  }
}

function document({ title, kind, starts_at: from, ends_at: to, cron, duration, time_zone: zone, ids, tags }) {
  const times = kind === 'cron' ? { cron: cron ?? '', duration, time_zone: zone } : { starts_at: instant(from), ends_at: instant(to) };
  return filled({ title, ...times, ids: listOf(ids), tags: listOf(tags) });
}

function instant(local) {
  const at = local ? new Date(local) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

function state({ active, next_change_at: next }) {
  if (active) return html`<hs-pill state="maintenance">In force</hs-pill>`;
  return html`<hs-pill state="idle">${next ? 'To come' : 'Over'}</hs-pill>`;
}

function when({ starts_at: from, ends_at: to, cron, duration, time_zone: zone, next_change_at: next, active }) {
  const soon = next ? html`<small class="muted"> ${active ? 'ends' : 'begins'} ${relative(next)}</small>` : nothing;
  return cron ? html`<code>${cron}</code> ${zone}, for ${duration}${soon}` : html`${dateTime(from)} to ${dateTime(to)}${soon}`;
}

customElements.define('maintenance-windows', MaintenanceWindows);
