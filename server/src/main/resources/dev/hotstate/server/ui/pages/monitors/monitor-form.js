// <monitor-form .monitor=${monitor} @saved=${…} @closed=${…}></monitor-form>: makes a monitor, or with `monitor` changes
// it. `saved` tells the monitor as it is then (detail). Only the fields of its type are there; what the server objects
// to is shown beside them.

import { html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { Load } from '../../load.js';
import { href } from '../../router.js';
import { Form, filled } from './fields.js';
import { TYPES, has, toDocument, toForm } from './monitor-document.js';
import '../../components/hs-notice.js';

const RECORDS = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV', 'CAA', 'PTR'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

class MonitorForm extends LightElement {
  static properties = { monitor: { attribute: false }, busy: { state: true } };

  form = new Form(this, 'monitor');
  channels = new Load(this, (signal) => api.get('/channels', { query: { limit: 1000 }, signal }));

  willUpdate(changed) {
    if (!this.hasUpdated || (changed.has('monitor') && changed.get('monitor')?.id !== this.monitor?.id)) this.form.begin(toForm(this.monitor ?? {}));
    this.form.rendering();
  }

  render() {
    const { type } = this.form.values;
    return html`
      <form class="form" novalidate @submit=${this.#submitted}>
        ${this.form.error ? html`<hs-error .error=${this.form.error} no-retry></hs-error>` : nothing}
        ${this.#what(type)}
        ${this.#when(type)}
        ${type === 'http' ? this.#request() : nothing}
        ${type === 'dns' ? this.#lookup() : nothing}
        ${has(type, 'tls') ? this.#encryption() : nothing}
        ${this.#alerts()}
        <div class="buttons">
          <button class="primary" name="save" ?disabled=${this.busy}>${this.monitor ? 'Save' : 'Add the monitor'}</button>
          <button type="button" class="plain" @click=${() => this.dispatchEvent(new Event('closed'))}>Cancel</button>
        </div>
      </form>
    `;
  }

  #what(type) {
    const { label, target, hint } = TYPES[type];
    return html`
      <fieldset>
        <legend>What is watched</legend>
        ${this.form.field('name', { label: 'Name', placeholder: 'Shop', required: true })}
        ${this.form.field('type', { label: 'Type', kind: 'select', options: Object.fromEntries(Object.entries(TYPES).map(([name, known]) => [name, known.label])), hint: has(type, 'target') ? undefined : hint })}
        ${has(type, 'target') ? this.form.field('target', { label: 'Target', placeholder: target, hint, wide: true, required: true }) : nothing}
        ${has(type, 'assertions') ? this.form.field('assertions', { label: 'Expectations, one a line', kind: 'lines', placeholder: examples(type), hint: html`Of <code>status</code>, <code>latency</code>, <code>body</code>, <code>json(path)</code>, <code>header(name)</code>, <code>certificate.days_left</code>, <code>dns.answers</code>, as far as ${label} knows them.` }) : nothing}
        ${this.form.field('tags', { label: 'Tags', placeholder: 'shop, production', hint: 'With commas between them. The first is its group on the status page; “private” keeps it off that page.' })}
        ${this.monitor ? nothing : this.form.field('id', { label: 'Id', placeholder: 'made of the name', hint: 'How the API and files name it. It stays.' })}
      </fieldset>
    `;
  }

  #when(type) {
    const push = type === 'push';
    return html`
      <fieldset>
        <legend>When</legend>
        ${this.form.field('interval', { label: push ? 'Reports every' : 'Check every', placeholder: '60s', hint: 'Such as 30s, 5m, 1h.' })}
        ${push ? html`
          ${this.form.field('cron', { label: 'Or by a cron', placeholder: '0 3 * * *', hint: 'Minute, hour, day, month, day of the week.' })}
          ${this.form.field('time_zone', { label: 'Time zone of the cron', placeholder: 'UTC' })}
          ${this.form.field('grace', { label: 'Late by at most', placeholder: '1m' })}` : this.form.field('timeout', { label: 'Answer within', placeholder: '10s' })}
        ${push ? nothing : html`
          ${this.form.field('retries', { label: 'Second looks', kind: 'number', placeholder: '2', hint: 'Quick ones, before a failure counts.' })}
          ${this.form.field('retry_interval', { label: 'Between them', placeholder: '5s' })}`}
        ${this.form.field('failure_threshold', { label: 'Down after failures', kind: 'number', placeholder: '1' })}
        ${this.form.field('success_threshold', { label: 'Up after successes', kind: 'number', placeholder: '1' })}
      </fieldset>
    `;
  }

  #request() {
    const { auth } = this.form.values;
    const stored = this.monitor?.auth ?? {};
    return html`
      <details class="more" ?open=${Boolean(this.monitor)}>
        <summary>Request <small>method, headers, sign-in, body</small></summary>
        <fieldset>
          ${this.form.field('method', { label: 'Method', kind: 'select', options: Object.fromEntries(METHODS.map((name) => [name, name])) })}
          ${this.form.field('redirects', { label: 'Redirects followed', kind: 'number', placeholder: '5' })}
          ${this.form.field('auth', { label: 'Sign in', kind: 'select', options: { none: 'No', basic: 'User and password', bearer: 'Bearer token' } })}
          ${auth === 'basic' ? html`
            ${this.form.field('auth.username', { label: 'User' })}
            ${this.form.field('auth.password', { label: 'Password', kind: 'password', placeholder: stored.username ? 'as it is stored' : '' })}` : nothing}
          ${auth === 'bearer' ? this.form.field('auth.bearer', { label: 'Token', kind: 'password', placeholder: stored.bearer ? 'as it is stored' : '' }) : nothing}
          ${this.form.field('headers', { label: 'Headers, one a line', kind: 'lines', placeholder: 'Accept: application/json', hint: 'A value of ******** stays as it is stored.' })}
          ${this.form.field('body', { label: 'Body', kind: 'code' })}
        </fieldset>
      </details>
    `;
  }

  #lookup() {
    return html`
      <fieldset>
        <legend>Look-up</legend>
        ${this.form.field('record_type', { label: 'Record', kind: 'select', options: Object.fromEntries(RECORDS.map((name) => [name, name])) })}
        ${this.form.field('resolver', { label: 'Name server', placeholder: 'the system’s', hint: 'host or host:port' })}
      </fieldset>
    `;
  }

  #encryption() {
    return html`
      <details class="more" ?open=${Boolean(this.monitor?.tls)}>
        <summary>Encryption <small>server name, authorities</small></summary>
        <fieldset>
          ${this.form.field('tls.server_name', { label: 'Server name', placeholder: 'the target’s host' })}
          ${this.form.field('tls.unverified', { label: 'Trust any certificate', kind: 'check', hint: 'Then a wrong or expired one is not noticed.' })}
          ${this.form.field('tls.ca', { label: 'Authority to trust as well (PEM)', kind: 'code', placeholder: '-----BEGIN CERTIFICATE-----' })}
        </fieldset>
      </details>
    `;
  }

  #alerts() {
    return html`
      <fieldset>
        <legend>Who is told</legend>
        <div class="field wide" data-field="alerts" role="group" aria-labelledby="monitor-alerts">
          <label id="monitor-alerts">Channels</label>
          ${this.channels.view(({ items }) => this.#channels(items))}
          ${this.form.objections('alerts')}
        </div>
        ${this.form.field('remind_every', { label: 'Remind every', placeholder: 'never', hint: 'While it is down and nobody has acknowledged it.' })}
        ${this.form.field('depends_on', { label: 'Depends on', placeholder: 'ids of monitors', hint: 'While one of these is down, its own alerts are held.' })}
        ${this.form.field('paused', { label: 'Paused', kind: 'check' })}
      </fieldset>
    `;
  }

  #channels(items) {
    if (items.length === 0) return html`<small>There are none yet. <a href="${href('/monitors')}?view=channels">Add one</a>, or nobody is told.</small>`;
    const chosen = this.form.values.alerts;
    return html`<div class="buttons">${items.map(({ id, type }) => html`
      <label class="choice"><input type="checkbox" name="alerts" value=${id} .checked=${chosen.includes(id)} @change=${(event) => this.#choose(id, event.target.checked)}> ${id} <span class="muted">${type}</span></label>`)}</div>`;
  }

  #choose(id, on) {
    const others = this.form.values.alerts.filter((other) => other !== id);
    this.form.values = { ...this.form.values, alerts: on ? [...others, id] : others };
  }

  async #submitted(event) {
    event.preventDefault();
    this.busy = true;
    const document = toDocument(this.form.values, this.monitor);
    try {
      const saved = this.monitor
        ? await api.patch(`/monitors/${this.monitor.id}`, document)
        : await api.post('/monitors', { ...filled(document), id: this.form.values.id.trim() || undefined });
      this.form.accept();
      toast(this.monitor ? 'The monitor is saved' : 'The monitor is added', { detail: saved.name });
      this.dispatchEvent(new CustomEvent('saved', { detail: saved }));
    } catch (error) {
      await this.form.refuse(error);
    }
    this.busy = false;
  }
}

function examples(type) {
  return { http: 'status == 200\nlatency < 500ms\njson(data.ok) == true', dns: 'dns.answers contains "192.0.2.1"', tls: 'certificate.days_left > 14' }[type] ?? 'latency < 500ms';
}

customElements.define('monitor-form', MonitorForm);
