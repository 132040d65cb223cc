// Live events over one shared connection to /events.
//
//   live.on('jobs.*', ({ name, data, id }) => …)   // returns a function that stops listening
//   new Live(this, { 'jobs.*': (e) => …, reset: () => this.load.reload() })   // the same for the life of an element
//
// Reads the event stream with fetch rather than EventSource: EventSource cannot listen to `jobs.*`, hides the status
// (a 401 must lead to the sign-in page) and does not say when it will try again, which the status pill shows.
//
// The connection carries the topics somebody listens to and is reopened when these change. It resumes from the last
// event id; where that cannot be (`reset`, or a break before any id was seen) listeners of `reset` load their data anew.
// A tab hidden for a minute lets go of its connection, since a browser allows six to a server over HTTP/1.1; and so does
// a page that is left at once, for the browser keeps it, and with it its connection, in case one comes back.

import { session } from './session.js';

const BACKOFF_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
const OFFLINE_AFTER = 4;
const SILENCE_MS = 30_000; // the server sends something at least every 15 s
const HIDDEN_MS = 60_000;

class LiveConnection extends EventTarget {
  /** `phase`: idle, connecting, live, waiting (trying again at `retryAt`), offline (the same, after several tries). */
  status = { phase: 'idle', retryAt: null };
  #listeners = new Set();
  #lastId = null;
  #everLive = false;
  #attempt = 0;
  #connection = null;
  #retry = null;
  #topics = '';
  #hiddenTimer = null;

  constructor() {
    super();
    document.addEventListener('visibilitychange', () => this.#visibilityChanged());
    window.addEventListener('online', () => this.reconnect());
    window.addEventListener('offline', () => this.#fail());
    window.addEventListener('pagehide', () => this.#stop());
    window.addEventListener('pageshow', (event) => event.persisted && this.reconnect());
    session.addEventListener('signin', () => this.#stop());
  }

  on(pattern, listener) {
    const entry = { pattern, listener };
    this.#listeners.add(entry);
    this.#settle();
    return () => {
      this.#listeners.delete(entry);
      this.#settle();
    };
  }

  /** Try now rather than when the wait is over. */
  reconnect() {
    if (this.status.phase === 'live' || session.signInNeeded) return;
    this.#attempt = 0;
    this.#open();
  }

  // Pages come and go together with their listeners: wait for the dust to settle before opening anew.
  #settle() {
    queueMicrotask(() => {
      const topics = this.#wantedTopics();
      if (topics === this.#topics) return;
      this.#topics = topics;
      if (topics === '') this.#stop();
      else this.#open();
    });
  }

  #wantedTopics() {
    const topics = [...this.#listeners].map(({ pattern }) => pattern.split('.')[0]).filter((topic) => topic !== 'reset');
    return [...new Set(topics)].sort().join(',');
  }

  async #open() {
    this.#close();
    if (this.#topics === '' || session.signInNeeded) return;
    const connection = new AbortController();
    this.#connection = connection;
    if (this.status.phase !== 'live') this.#say('connecting');
    try {
      await this.#read(connection);
    } catch {
      // Any end is the same to us: closed, cut, refused or silent.
    }
    if (this.#connection === connection) this.#fail();
  }

  async #read(connection) {
    const headers = { Accept: 'text/event-stream' };
    if (this.#lastId !== null) headers['Last-Event-ID'] = this.#lastId;
    let silence = setTimeout(() => connection.abort(), SILENCE_MS);
    try {
      const response = await fetch(`/events?topics=${encodeURIComponent(this.#topics)}`, {
        headers,
        cache: 'no-store',
        credentials: 'same-origin',
        signal: connection.signal,
      });
      if (response.status === 401) session.expire();
      if (!response.ok) return;
      this.#opened();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const parse = eventParser((event) => this.#deliver(event));
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(() => connection.abort(), SILENCE_MS);
        parse(value);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  #opened() {
    const broken = this.#everLive && this.#lastId === null;
    this.#attempt = 0;
    this.#everLive = true;
    this.#say('live');
    if (broken) this.#deliver({ name: 'reset', data: null });
  }

  #deliver(event) {
    if (event.id !== undefined) this.#lastId = event.id;
    for (const { pattern, listener } of [...this.#listeners]) {
      if (!matches(pattern, event.name)) continue;
      try {
        listener(event);
      } catch (error) {
        console.error(`A listener of ${pattern} failed`, error);
      }
    }
  }

  #fail() {
    this.#close();
    if (this.#topics === '' || session.signInNeeded) return;
    const wait = BACKOFF_MS[Math.min(this.#attempt, BACKOFF_MS.length - 1)] * (0.8 + 0.4 * Math.random());
    this.#attempt += 1;
    this.#say(this.#attempt > OFFLINE_AFTER || !navigator.onLine ? 'offline' : 'waiting', Date.now() + wait);
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  #stop() {
    this.#close();
    this.#say('idle');
  }

  #close() {
    clearTimeout(this.#retry);
    const connection = this.#connection;
    this.#connection = null;
    connection?.abort();
  }

  #visibilityChanged() {
    clearTimeout(this.#hiddenTimer);
    if (document.hidden) this.#hiddenTimer = setTimeout(() => this.#stop(), HIDDEN_MS);
    else if (this.status.phase !== 'live') this.reconnect();
  }

  #say(phase, retryAt = null) {
    this.status = { phase, retryAt };
    this.dispatchEvent(new Event('status'));
  }
}

export const live = new LiveConnection();

/** Listens for as long as its element is on the page. */
export class Live {
  #handlers;
  #stops = [];

  constructor(host, handlers) {
    this.#handlers = handlers;
    host.addController(this);
  }

  hostConnected() {
    this.#stops = Object.entries(this.#handlers).map(([pattern, listener]) => live.on(pattern, listener));
  }

  hostDisconnected() {
    this.#stops.forEach((stop) => stop());
  }
}

function matches(pattern, name) {
  return pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));
}

/** Takes the stream's text as it comes, in pieces cut anywhere, and calls `emit({name, data, id})` per whole event. */
export function eventParser(emit) {
  let rest = '';
  let event = {};
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line !== '') {
        field(event, line);
        continue;
      }
      if (event.data !== undefined || event.name !== undefined) emit({ ...event, name: event.name ?? 'message', data: json(event.data) });
      event = {};
    }
  };
}

function field(event, line) {
  const colon = line.indexOf(':');
  if (colon === 0) return; // a comment: the server's keep-alive
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'event') event.name = value;
  else if (name === 'id') event.id = value;
  else if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
}

function json(text) {
  if (text === undefined || text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
