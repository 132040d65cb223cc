// How the parts of /health/ready are named and their figures read. Any part and any figure may appear: what is not
// known here by name is shown by the ending of its name.

import { bytes, compact, duration, number, words } from './format.js';

const LABELS = { ops_per_second: 'Operations', used_memory_bytes: 'Memory used', breaker: 'Circuit breaker' };
const NAMES = { redis: 'Redis', postgres: 'PostgreSQL', events: 'Live events', partitions: 'Partitions' };

export function partName(name) {
  return NAMES[name] ?? words(name);
}

/** `{label, text, value?, max?}` per figure; `x` and `x_max` become one, with its share of the maximum. */
export function figures(part, hidden = []) {
  const all = part.figures ?? {};
  return Object.entries(all)
    .filter(([name]) => !hidden.includes(name) && !(name.endsWith('_max') && name.slice(0, -4) in all))
    .map(([name, value]) => figure(name, value, all[`${name}_max`]));
}

function figure(name, value, max) {
  const label = LABELS[name] ?? words(name.replace(/_(ms|bytes|per_second)$/, ''));
  if (typeof value !== 'number') return { name, label, text: value === null ? '–' : String(value) };
  const read = reader(name);
  return typeof max === 'number' && max > 0
    ? { name, label, text: `${read(value)} of ${read(max)}`, value, max }
    : { name, label, text: read(value) };
}

function reader(name) {
  if (name.endsWith('_ms')) return duration;
  if (name.endsWith('_bytes')) return bytes;
  if (name.endsWith('_per_second')) return (value) => `${compact(value)}/s`;
  return number;
}

/** One sentence for the whole: what a person would say when asked how it is. */
export function headline(health) {
  const broken = (state) => health.parts.filter((part) => part.status === state);
  const down = named(broken('down'));
  if (down.length > 0) return `${list(down)} ${verb(down)} down`;
  if (broken('rebuilding').length > 0) return 'Rebuilding the state in Redis';
  const degraded = named(broken('degraded'));
  if (degraded.length > 0) return `${list(degraded)} ${verb(degraded)} degraded`;
  if (health.status === 'down') return 'The server is down';
  return health.status === 'up' ? 'Everything is up' : 'The server is degraded';
}

// Where a store is broken the rest follows from it: the store alone is named.
function named(parts) {
  const stores = parts.filter((part) => part.name === 'redis' || part.name === 'postgres');
  if (stores.length > 0) return stores.map((part) => partName(part.name));
  return parts.map((part, i) => (i === 0 ? partName(part.name) : partName(part.name).toLowerCase()));
}

/** An event's data in one line: its message if it has one, else its fields. */
export function describe(data) {
  if (data === null || typeof data !== 'object') return String(data ?? '');
  const text = data.message ?? data.detail;
  if (typeof text === 'string') return text;
  return Object.entries(data).map(([name, value]) => `${words(name).toLowerCase()} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ');
}

function verb(names) {
  return names.length > 1 || (names[0].endsWith('s') && names[0] !== 'Redis') ? 'are' : 'is';
}

function list(names) {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}
