// The fields of a form, with the server's objections beside them.
//
//   form = new Form(this, 'channel');       // `this` is rendered anew as the reader writes
//   form.begin({ url: 'https://…' });       // what is written: by name, texts and booleans
//   form.field('url', { label: 'URL', hint: '…', kind: 'text' })
//   form.refuse(apiError)                   // objections that fit no field are left in `form.error`
//
// kind: text, number, password, lines (one a line), code, select (`options`: value → label), check, datetime-local

import { html, nothing } from 'lit';

export class Form {
  values = {};
  error = null;
  #host;
  #prefix;
  #objections = new Map();
  #shown = new Set();

  constructor(host, prefix) {
    this.#host = host;
    this.#prefix = prefix;
  }

  begin(values) {
    this.values = values;
    this.accept();
  }

  accept() {
    this.#objections = new Map();
    this.error = null;
    this.#host.requestUpdate();
  }

  /** To be called at the start of the host's render: forgets which fields there are. */
  rendering() {
    this.#shown = new Set();
  }

  /** Shows what the server objects to, and goes to the first field of it. */
  async refuse(error) {
    const others = [];
    this.#objections = new Map();
    for (const { field = '', message } of error.errors ?? []) {
      const name = this.#place(field);
      if (name) this.#objections.set(name, [...(this.#objections.get(name) ?? []), name === field ? message : `${field} ${message}`]);
      else others.push({ field, message });
    }
    this.error = this.#objections.size === 0 || others.length > 0 ? Object.assign(Object.create(error), { errors: others }) : null;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const refused = [...this.#host.renderRoot.querySelectorAll('[aria-invalid="true"]')];
    refused.forEach((control) => control.closest('details')?.setAttribute('open', ''));
    refused[0]?.focus();
  }

  // `assertions[2]` and `headers.X-Key` belong to the fields assertions and headers.
  #place(field) {
    for (let name = field; name !== ''; name = name.replace(/(\[[^[\]]*\]|\.[^.[\]]*|[^.[\]]+)$/, '')) {
      if (this.#shown.has(name)) return name;
    }
    return null;
  }

  field(name, { label, hint, kind = 'text', options = {}, placeholder = '', wide = kind === 'lines' || kind === 'code', required = false }) {
    this.#shown.add(name);
    const id = `${this.#prefix}-${name.replaceAll('.', '-')}`;
    const objections = this.#objections.get(name) ?? [];
    const about = { id, name, kind, options, placeholder, required, invalid: objections.length > 0 ? 'true' : nothing, described: hint || objections.length > 0 ? `${id}-about` : nothing };
    return html`
      <div class="field ${wide ? 'wide' : ''} ${kind === 'check' ? 'check' : ''}" data-field=${name}>
        ${kind === 'check' ? html`<label for=${id}>${this.#control(about)} ${label}</label>` : html`<label for=${id}>${label}</label>${this.#control(about)}`}
        ${hint || objections.length > 0 ? html`<div id="${id}-about">${objections.map((text) => html`<div class="objection">${text}</div>`)}${hint ? html`<small>${hint}</small>` : nothing}</div>` : nothing}
      </div>
    `;
  }

  /** What is objected to in something that has a field of its own making. */
  objections(name) {
    this.#shown.add(name);
    return (this.#objections.get(name) ?? []).map((text) => html`<div class="objection" role="alert">${text}</div>`);
  }

  #control({ id, name, kind, options, placeholder, required, invalid, described }) {
    const value = this.values[name] ?? '';
    const write = (event) => this.#write(name, event.target.value);
    switch (kind) {
      case 'check':
        return html`<input type="checkbox" id=${id} name=${name} .checked=${Boolean(this.values[name])} aria-invalid=${invalid} aria-describedby=${described} @change=${(event) => this.#write(name, event.target.checked)}>`;
      case 'select':
        return html`<select id=${id} name=${name} aria-invalid=${invalid} aria-describedby=${described} @change=${write}>${Object.entries(options).map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}</select>`;
      case 'lines':
      case 'code':
        return html`<textarea class="code" id=${id} name=${name} rows=${Math.min(12, Math.max(2, (value || placeholder).split('\n').length))} spellcheck="false" autocomplete="off" placeholder=${placeholder} .value=${value} aria-invalid=${invalid} aria-describedby=${described} @input=${write}></textarea>`;
      default:
        return html`<input type=${kind === 'number' ? 'text' : kind} inputmode=${kind === 'number' ? 'numeric' : nothing} id=${id} name=${name} placeholder=${placeholder} .value=${value} ?required=${required} autocomplete=${kind === 'password' ? 'new-password' : 'off'} autocapitalize="none" spellcheck="false" aria-invalid=${invalid} aria-describedby=${described} @input=${write}>`;
    }
  }

  #write(name, value) {
    this.values = { ...this.values, [name]: value };
    this.#objections.delete(name);
    this.#host.requestUpdate();
  }
}

/** "a, b" → ["a", "b"] */
export function listOf(text) {
  return (text ?? '').split(/[,\n]/).map((part) => part.trim()).filter(Boolean);
}

export function linesOf(text) {
  return (text ?? '').split('\n').map((line) => line.trim()).filter(Boolean);
}

/** "Name: value" a line → {Name: value}; a line without a colon is a name without a value, for the server to refuse. */
export function headersOf(text) {
  return Object.fromEntries(linesOf(text).map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  }));
}

export function headersText(headers) {
  return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** A whole number as one, anything else as it is written: the server says what is wrong with it. */
export function numberOf(text) {
  return /^-?\d{1,9}$/.test((text ?? '').trim()) ? Number(text) : text?.trim() || undefined;
}

/** Without what was not filled in. */
export function filled(document) {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
