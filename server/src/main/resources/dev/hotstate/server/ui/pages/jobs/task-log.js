// <task-log job="…" task="…" attempt="1">: what a task logs, while it logs it. Reads the stream of /logs?follow=true, takes up where it
// was when the connection breaks, and stays at the last line unless the reader has scrolled up.

import { css, html, nothing } from 'lit';
import { LightElement } from '../../components/light.js';
import { dateTime, time } from '../../format.js';
import { eventParser } from '../../live.js';
import { session } from '../../session.js';
import '../../components/hs-notice.js';

const MOST = 1000; // as many as the server keeps
const AGAIN_MS = 2000;

class TaskLog extends LightElement {
  static properties = { job: {}, task: {}, attempt: { type: Number }, lines: { state: true }, phase: { state: true } };
  static styles = css`
    .task-log { max-block-size: 22rem; overflow: auto; padding: 0.75rem 1rem; border-radius: var(--radius-small); background: var(--sunken); font: 0.8125rem/1.6 var(--font-code); }
    .task-log ol { margin: 0; padding: 0; list-style: none; }
    .task-log li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.9rem; overflow-wrap: anywhere; white-space: pre-wrap; }
    .task-log time { color: var(--ink-faint); user-select: none; white-space: nowrap; }
    .task-log-foot { color: var(--ink-faint); font-size: var(--small); }
  `;

  #connection = null;
  #last = null;
  #timer = null;

  constructor() {
    super();
    this.lines = [];
    this.phase = 'connecting';
  }

  updated(changed) {
    if (changed.has('job') || changed.has('task') || (changed.has('attempt') && this.phase === 'ended')) this.#begin();
    if (changed.has('lines')) this.#follow();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#end();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.#begin();
  }

  render() {
    return html`
      <div class="task-log" tabindex="0" role="log" aria-label="Log of ${this.task}" data-lines=${this.lines.length} data-phase=${this.phase}>
        <ol>${this.lines.map(({ at, line }) => html`<li><time title=${dateTime(at)}>${time(at)}</time><span>${line}</span></li>`)}</ol>
        <p class="task-log-foot">${this.#foot()}</p>
      </div>
    `;
  }

  #foot() {
    if (this.phase === 'ended') return this.lines.length === 0 ? 'It has logged nothing.' : nothing;
    if (this.phase === 'waiting') return 'The connection broke; trying again…';
    return this.lines.length === 0 ? 'Nothing is logged yet.' : '…';
  }

  #begin() {
    this.#end();
    this.lines = [];
    this.#last = null;
    this.phase = 'connecting';
    this.#read();
  }

  #end() {
    clearTimeout(this.#timer);
    this.#connection?.abort();
    this.#connection = null;
  }

  async #read() {
    const connection = new AbortController();
    this.#connection = connection;
    try {
      const headers = { Accept: 'text/event-stream' };
      if (this.#last !== null) headers['Last-Event-ID'] = this.#last;
      const path = `/jobs/${encodeURIComponent(this.job)}/tasks/${encodeURIComponent(this.task)}/logs?follow=true`;
      const response = await fetch(path, { headers, cache: 'no-store', credentials: 'same-origin', signal: connection.signal });
      if (response.status === 401) session.expire();
      if (response.ok) await this.#take(response);
    } catch {
      // Closed, cut or refused: all the same, it is tried again.
    }
    if (this.#connection !== connection || this.phase === 'ended') return;
    this.phase = 'waiting';
    this.#timer = setTimeout(() => this.#read(), AGAIN_MS);
  }

  async #take(response) {
    this.phase = 'live';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let come = [];
    const parse = eventParser(({ name, data, id }) => {
      if (name === 'end') this.phase = 'ended';
      if (name !== 'line') return;
      this.#last = id;
      come.push(data);
    });
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parse(value);
      if (come.length > 0) this.lines = [...this.lines, ...come].slice(-MOST);
      come = [];
    }
  }

  #follow() {
    const box = this.renderRoot.querySelector('.task-log');
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 160;
    if (atEnd || this.lines.length < 30) box.scrollTop = box.scrollHeight;
  }
}

customElements.define('task-log', TaskLog);
