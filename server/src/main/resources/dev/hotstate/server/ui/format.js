// Numbers, sizes and times as people read them. All by Intl, in the browser's language.
// Whatever is missing (null, undefined, NaN, an unreadable date) comes out as an en dash.

export const NONE = '–';

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });

/** 12345.6 → "12,346"; small fractions keep three digits: 0.1234 → "0.123". */
export function number(value) {
  if (!isNumber(value)) return NONE;
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? whole.format(value) : fine.format(value);
}

/** 12345 → "12.3K". */
export function compact(value) {
  return isNumber(value) ? short.format(value) : NONE;
}

/** 0.4123 → "41.2%". */
export function percent(ratio) {
  return isNumber(ratio) ? share.format(ratio) : NONE;
}

/** 3456 → "3.38 KiB"; powers of 1024, as Redis counts. */
export function bytes(value) {
  if (!isNumber(value)) return NONE;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? whole.format(size) : fine.format(size)} ${units[unit]}`;
}

/** Milliseconds: 0.42 → "0.42 ms", 1500 → "1.5 s", 90000 → "1 min 30 s", 7.5e6 → "2 h 5 min". */
export function duration(ms) {
  if (!isNumber(ms)) return NONE;
  if (Math.abs(ms) < 1000) return `${fine.format(ms)} ms`;
  if (Math.abs(ms) < 60_000) return `${fine.format(ms / 1000)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return parts(minutes, 'min', Math.floor(ms / 1000) % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return parts(hours, 'h', minutes % 60, 'min');
  return parts(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** "5 minutes ago", "in 3 hours"; under five seconds "just now". */
export function relative(when, now = Date.now()) {
  const at = toMillis(when);
  if (at === null) return NONE;
  const seconds = (at - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 5) return 'just now';
  if (size < 60) return ago.format(Math.round(seconds), 'second');
  if (size < 3600) return ago.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return ago.format(Math.round(seconds / 3600), 'hour');
  return ago.format(Math.round(seconds / 86_400), 'day');
}

/** How long it has been: "5 hours", "a moment" under five seconds. */
export function elapsed(since, now = Date.now()) {
  const at = toMillis(since);
  if (at === null) return NONE;
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 5) return 'a moment';
  if (seconds < 60) return unit(seconds, 'second');
  if (seconds < 3600) return unit(seconds / 60, 'minute');
  if (seconds < 172_800) return unit(seconds / 3600, 'hour');
  return unit(seconds / 86_400, 'day');
}

/** The time of day: "14:03:09". */
export function time(when) {
  const at = toMillis(when);
  return at === null ? NONE : clock.format(at);
}

/** The time of day, and the date with it where that is another than today's. */
export function timeOrDate(when, now = Date.now()) {
  const at = toMillis(when);
  return at !== null && new Date(at).toDateString() !== new Date(now).toDateString() ? dateTime(at) : time(at);
}

/** Date and time in full, for titles and details. */
export function dateTime(when) {
  const at = toMillis(when);
  return at === null ? NONE : moment.format(at);
}

/** "used_memory" → "Used memory". */
export function words(name) {
  const text = String(name).replaceAll(/[_-]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 1, "key" → "1 key"; 3, "family", "families" → "3 families". */
export function count(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

function unit(value, name) {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay: 'long' }).format(Math.floor(value));
}

function parts(big, bigUnit, small, smallUnit) {
  return small === 0 ? `${whole.format(big)} ${bigUnit}` : `${whole.format(big)} ${bigUnit} ${small} ${smallUnit}`;
}

function toMillis(when) {
  if (when === null || when === undefined || when === '') return null;
  const at = when instanceof Date ? when.getTime() : typeof when === 'number' ? when : Date.parse(when);
  return Number.isNaN(at) ? null : at;
}

function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}
