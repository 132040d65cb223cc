// Between a monitor as the API has it and the form: which fields a type has, and how each is written.

import { headersOf, headersText, linesOf, listOf, numberOf } from './fields.js';

const MASK = '********'; // how the server shows a secret; sent back, it stays as it is
const ENCRYPTED = ['http', 'tls', 'redis', 'postgres'];
const FOR_TYPE = {
  target: (type) => type !== 'push',
  timeout: (type) => type !== 'push',
  assertions: (type) => type !== 'push',
  method: (type) => type === 'http',
  headers: (type) => type === 'http',
  body: (type) => type === 'http',
  auth: (type) => type === 'http',
  redirects: (type) => type === 'http',
  tls: (type) => ENCRYPTED.includes(type),
  record_type: (type) => type === 'dns',
  resolver: (type) => type === 'dns',
  cron: (type) => type === 'push',
  time_zone: (type) => type === 'push',
  grace: (type) => type === 'push',
};

export const TYPES = {
  http: { label: 'HTTP or HTTPS', target: 'https://example.com/health', hint: 'A URL. Without expectations, a status below 400 is well.' },
  tcp: { label: 'TCP port', target: 'db.example.com:5432', hint: 'host:port. It is well when it accepts a connection.' },
  dns: { label: 'DNS name', target: 'example.com', hint: 'A name to look up.' },
  tls: { label: 'TLS certificate', target: 'example.com:443', hint: 'host or host:port. Chain, name and date must hold.' },
  redis: { label: 'Redis', target: 'redis://cache.example.com:6379', hint: 'A redis:// or rediss:// URL. It is asked PING.' },
  postgres: { label: 'PostgreSQL', target: 'postgres://user:password@db.example.com/app', hint: 'A postgres:// URL. It is asked SELECT 1.' },
  push: { label: 'Push (a job reports)', hint: 'Nobody is asked: a job calls its URL, and is missed when it does not.' },
};

/** Whether monitors of this type have that field. */
export function has(type, field) {
  return FOR_TYPE[field]?.(type) ?? true;
}

/** What the form begins with. */
export function toForm(monitor) {
  const { auth, tls } = monitor;
  const text = (value) => (value === null || value === undefined ? '' : String(value));
  return {
    ...Object.fromEntries(['id', 'name', 'target', 'interval', 'timeout', 'retries', 'retry_interval', 'failure_threshold', 'success_threshold', 'method', 'body', 'redirects', 'record_type', 'resolver', 'cron', 'time_zone', 'grace', 'remind_every'].map((name) => [name, text(monitor[name])])),
    type: monitor.type ?? 'http',
    assertions: (monitor.assertions ?? []).join('\n'),
    headers: headersText(monitor.headers),
    auth: auth?.bearer ? 'bearer' : auth?.username ? 'basic' : 'none',
    'auth.username': text(auth?.username),
    'tls.unverified': tls?.verify === false,
    'tls.server_name': text(tls?.server_name),
    'tls.ca': text(tls?.ca),
    tags: (monitor.tags ?? []).join(', '),
    depends_on: (monitor.depends_on ?? []).join(', '),
    alerts: monitor.alerts ?? [],
    paused: Boolean(monitor.paused),
  };
}

/** The document to submit; null is what the type does not have, or what was emptied. */
export function toDocument(values, before = {}) {
  const { type } = values;
  const text = (name) => values[name]?.trim() || null;
  const number = (name) => numberOf(values[name]) ?? null;
  const document = {
    name: values.name?.trim() ?? '',
    type,
    target: text('target') ?? '',
    interval: text('interval'),
    timeout: text('timeout'),
    retries: number('retries'),
    retry_interval: text('retry_interval'),
    failure_threshold: number('failure_threshold'),
    success_threshold: number('success_threshold'),
    assertions: linesOf(values.assertions),
    method: text('method'),
    headers: headers(values.headers, before.headers),
    body: values.body || null,
    auth: auth(values, before.auth ?? {}),
    redirects: number('redirects'),
    tls: tls(values),
    record_type: text('record_type'),
    resolver: text('resolver'),
    cron: text('cron'),
    time_zone: text('time_zone'),
    grace: text('grace'),
    tags: listOf(values.tags),
    depends_on: listOf(values.depends_on),
    alerts: values.alerts,
    remind_every: text('remind_every'),
    paused: values.paused,
  };
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, has(type, name) ? value : null]));
}

// In a merge patch, a header that is not named stays: those that were taken away are named with null.
function headers(text, before) {
  const gone = Object.fromEntries(Object.keys(before ?? {}).map((name) => [name, null]));
  return { ...gone, ...headersOf(text) };
}

function auth(values, before) {
  if (values.auth === 'basic') {
    return { username: values['auth.username'], password: values['auth.password'] || (before.username ? MASK : ''), bearer: null };
  }
  if (values.auth === 'bearer') return { username: null, password: null, bearer: values['auth.bearer'] || (before.bearer ? MASK : '') };
  return null;
}

function tls(values) {
  const { 'tls.unverified': unverified, 'tls.server_name': name, 'tls.ca': ca } = values;
  return unverified || name || ca ? { verify: !unverified, server_name: name || null, ca: ca || null } : null;
}
