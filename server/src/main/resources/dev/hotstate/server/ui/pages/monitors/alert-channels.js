// <alert-channels></alert-channels>: where alerts go. Secrets are written here and never shown again. A test sends a real
// message and tells what became of it.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { confirm } from '../../components/hs-confirm.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { duration } from '../../format.js';
import { Load } from '../../load.js';
import { session } from '../../session.js';
import { Form, filled, headersOf, headersText, listOf, numberOf } from './fields.js';
import '../../components/hs-card.js';
import '../../components/hs-notice.js';
import '../../components/hs-pill.js';
import '../../components/hs-table.js';

const TYPES = { webhook: 'Webhook', slack: 'Slack', email: 'Email' };
const TLS = { starttls: 'STARTTLS', implicit: 'TLS from the start', none: 'None' };
const TEST_MS = 40_000;

class AlertChannels extends LightElement {
  static properties = { editing: { state: true }, busy: { state: true }, tests: { state: true } };
  static styles = css`
    .channel-actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.4rem; }
    .channel-actions button { min-block-size: 1.9rem; padding-inline: 0.65rem; font-size: var(--small); }
    .channel-test { max-inline-size: 24rem; white-space: normal; }
  `;

  load = new Load(this, (signal) => api.get('/channels', { query: { limit: 1000 }, signal }));
  form = new Form(this, 'channel');

  constructor() {
    super();
    this.tests = new Map();
  }

  willUpdate() {
    this.form.rendering();
  }

  render() {
    return html`
      <section class="section">
        ${session.can('operator') && !this.editing ? html`<div><button name="add-channel" @click=${() => this.#edit(null)}>Add a channel</button></div>` : nothing}
        ${this.editing ? html`<hs-card heading=${this.editing.id ? `Edit ${this.editing.id}` : 'A new channel'} level="2">${this.#editor()}</hs-card>` : nothing}
        ${this.load.view(({ items }) => html`
          <hs-table label="channels" noSearch .rows=${items} .columns=${this.#columns()}
            .empty=${html`<hs-empty heading="Nobody would be told" icon="monitors">A channel is a webhook, a Slack room or a mailbox. Add one, test it, and name it in the alerts of your monitors.</hs-empty>`}></hs-table>`)}
      </section>
    `;
  }

  #columns() {
    return [
      { key: 'id', label: 'Channel', render: ({ id }) => html`<b>${id}</b>` },
      { key: 'type', label: 'Type', value: ({ type }) => TYPES[type] ?? type },
      { key: 'to', label: 'Goes to', needs: 'medium', value: ({ type, url, to, host }) => (type === 'email' ? `${(to ?? []).join(', ')} by ${host}` : type === 'slack' ? 'Slack' : url) },
      { key: 'test', label: 'Test', sortable: false, render: ({ id }) => html`<div class="channel-test" role="status" data-test=${id}>${this.#tested(this.tests.get(id))}</div>` },
      ...(session.can('operator') ? [{ key: 'actions', label: 'Actions', sortable: false, numeric: true, render: (channel) => this.#actions(channel) }] : []),
    ];
  }

  #tested(test) {
    if (!test) return nothing;
    if (test.running) return html`<span class="muted">Sending…</span>`;
    return html`<hs-pill state=${test.ok ? 'delivered' : 'failed'}>${test.ok ? `Delivered in ${duration(test.took_ms)}` : 'Failed'}</hs-pill>${test.error ? html` <span class="small">${test.error}</span>` : nothing}`;
  }

  #actions(channel) {
    return html`
      <div class="channel-actions">
        <button name="test" aria-label="Test ${channel.id}" ?disabled=${this.tests.get(channel.id)?.running} @click=${() => this.#test(channel.id)}>Test</button>
        <button name="edit" aria-label="Edit ${channel.id}" @click=${() => this.#edit(channel)}>Edit</button>
        <button name="delete" aria-label="Delete ${channel.id}" @click=${() => this.#delete(channel.id)}>Delete</button>
      </div>
    `;
  }

  #editor() {
    const { type } = this.form.values;
    const stored = this.editing.id !== undefined;
    return html`
      <form class="form" novalidate @submit=${this.#submitted}>
        ${this.form.error ? html`<hs-error .error=${this.form.error} no-retry></hs-error>` : nothing}
        <fieldset>
          ${stored ? nothing : this.form.field('id', { label: 'Id', placeholder: 'ops', hint: 'How monitors name it in their alerts.', required: true })}
          ${this.form.field('type', { label: 'Type', kind: 'select', options: TYPES })}
          ${type === 'webhook' ? this.#webhook(stored) : type === 'slack' ? this.#slack(stored) : this.#email(stored)}
        </fieldset>
        <div class="buttons">
          <button class="primary" name="save" ?disabled=${this.busy}>Save the channel</button>
          <button type="button" class="plain" @click=${() => (this.editing = null)}>Cancel</button>
        </div>
      </form>
    `;
  }

  #webhook(stored) {
    return html`
      ${this.form.field('url', { label: 'URL', placeholder: 'https://example.com/alerts', hint: stored ? 'After the server, *** stays as it is stored.' : '', wide: true })}
      ${this.form.field('secret', { label: 'Secret', kind: 'password', placeholder: stored ? 'as it is stored' : '', hint: 'Signs each message by HMAC-SHA256 in X-Hotstate-Signature.' })}
      ${this.form.field('headers', { label: 'Headers, one a line', kind: 'lines', placeholder: 'Authorization: Bearer …', hint: 'A value of *** stays as it is stored.' })}
    `;
  }

  #slack(stored) {
    return this.form.field('url', { label: 'Incoming webhook of Slack', kind: 'password', placeholder: stored ? 'as it is stored' : 'https://hooks.slack.com/services/…', wide: true });
  }

  #email(stored) {
    return html`
      ${this.form.field('to', { label: 'To', placeholder: 'ops@example.com', hint: 'Several with commas between them.' })}
      ${this.form.field('from', { label: 'From', placeholder: 'hotstate@example.com' })}
      ${this.form.field('host', { label: 'SMTP server', placeholder: 'smtp.example.com' })}
      ${this.form.field('tls', { label: 'Encryption', kind: 'select', options: TLS })}
      ${this.form.field('port', { label: 'Port', kind: 'number', placeholder: 'by the encryption' })}
      ${this.form.field('user', { label: 'User' })}
      ${this.form.field('password', { label: 'Password', kind: 'password', placeholder: stored ? 'as it is stored' : '' })}
    `;
  }

  #edit(channel) {
    this.form.begin(channel ? values(channel) : { type: 'webhook', tls: 'starttls' });
    this.editing = channel ?? {};
  }

  async #submitted(event) {
    event.preventDefault();
    const id = this.editing.id ?? this.form.values.id?.trim() ?? '';
    if (id === '') return this.form.refuse({ errors: [{ field: 'id', message: 'is required' }] });
    this.busy = true;
    try {
      await api.put(`/channels/${encodeURIComponent(id)}`, document(this.form.values));
      this.editing = null;
      toast('The channel is saved', { detail: id });
      this.load.reload();
    } catch (error) {
      await this.form.refuse(error);
    }
    this.busy = false;
  }

  async #test(id) {
    this.#note(id, { running: true });
    try {
      this.#note(id, await api.post(`/channels/${id}/test`, undefined, { timeout: TEST_MS }));
    } catch (error) {
      this.#note(id, { ok: false, error: error.message });
    }
  }

  #note(id, test) {
    this.tests = new Map(this.tests).set(id, test);
  }

  async #delete(id) {
    if (!(await confirm({ title: `Delete ${id}?`, text: 'Messages that wait for it are given up.', action: 'Delete', danger: true }))) return;
    try {
      await api.delete(`/channels/${id}`);
      toast('The channel is deleted', { detail: id });
    } catch (error) {
      toast('Could not delete it', { state: 'error', detail: error.message });
    }
    this.load.reload();
  }
}

function values({ type, url, headers, host, port, tls, user, from, to }) {
  return { type, url: type === 'slack' ? '' : url, headers: headersText(headers), host, port: port === undefined ? '' : String(port), tls: tls ?? 'starttls', user, from, to: (to ?? []).join(', ') };
}

// A secret that is not filled in is left out: it stays as it is stored.
function document(form) {
  const { type } = form;
  if (type === 'webhook') return filled({ type, url: form.url, secret: form.secret, headers: headersOf(form.headers) });
  if (type === 'slack') return filled({ type, url: form.url });
  return filled({ type, host: form.host, port: numberOf(form.port), tls: form.tls, user: form.user, password: form.password, from: form.from, to: listOf(form.to) });
}

customElements.define('alert-channels', AlertChannels);
