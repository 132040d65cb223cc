// The server's health as this page has seen it: the latest answer, a short history for beats and sparklines, and the
// recent system events. Kept here rather than in the Overview, so that going to another page and back loses nothing.
// Fed by `system.*` events; while these do not come, by asking /health/ready. Fires `change`.

import { api } from './api.js';
import { live } from './live.js';
import { session } from './session.js';
import { describe, partName } from './parts.js';

const SAMPLES = 90;
const EVENTS = 50;
const POLL_MS = 5000;

class Health extends EventTarget {
  latest = null;
  receivedAt = null;
  error = null;
  beats = [];
  events = [];
  #samples = new Map();

  /** Begins to listen; called once by the shell. */
  start() {
    live.on('system.*', (event) => this.#heard(event));
    live.on('reset', () => this.ask());
    setInterval(() => live.status.phase !== 'live' && !document.hidden && this.ask(), POLL_MS);
    this.ask();
  }

  /** The last answer is all we have: the server has not been heard since. */
  get stale() {
    return this.error !== null && this.latest !== null;
  }

  /** Recent values of one figure of a part, oldest first: `[{at, value}]`. */
  samples(part, figure) {
    return this.#samples.get(`${part}.${figure}`) ?? [];
  }

  async ask() {
    if (session.signInNeeded) return;
    try {
      this.#take(await api.get('/health/ready', { also: [503], timeout: 4000 }));
    } catch (error) {
      this.error = error;
      this.#beat('unknown', 'no answer');
      this.dispatchEvent(new Event('change'));
    }
  }

  #heard(event) {
    if (event.name === 'system.health') this.#take(event.data);
    else this.#note({ name: event.name, text: describe(event.data), state: event.data?.status });
  }

  #take(health) {
    if (!Array.isArray(health?.parts)) return;
    const before = new Map(this.latest?.parts.map((part) => [part.name, part]));
    if (this.latest) health.parts.forEach((part) => this.#noteChange(before.get(part.name), part));
    this.latest = health;
    this.receivedAt = Date.now();
    this.error = null;
    health.parts.forEach((part) => this.#sample(part));
    this.#beat(rebuilding(health) ? 'rebuilding' : health.status, health.status);
    this.dispatchEvent(new Event('change'));
  }

  #noteChange(before, part) {
    if (before?.status === part.status) return;
    const change = before ? `${before.status} → ${part.status}` : `now seen, ${part.status}`;
    this.#note({ name: 'system.health', text: `${partName(part.name)}: ${change}${part.detail ? ` (${part.detail})` : ''}`, state: part.status });
  }

  #note(event) {
    this.events = [{ ...event, at: Date.now(), key: (this.events[0]?.key ?? 0) + 1 }, ...this.events].slice(0, EVENTS);
    this.dispatchEvent(new Event('change'));
  }

  #sample(part) {
    for (const [figure, value] of Object.entries(part.figures ?? {})) {
      if (typeof value !== 'number') continue;
      const key = `${part.name}.${figure}`;
      this.#samples.set(key, [...(this.#samples.get(key) ?? []), { at: Date.now(), value }].slice(-SAMPLES));
    }
  }

  #beat(state, label) {
    this.beats = [...this.beats, { state, label, at: Date.now() }].slice(-SAMPLES);
  }
}

function rebuilding(health) {
  return health.status !== 'down' && health.parts.some((part) => part.status === 'rebuilding');
}

export const health = new Health();
