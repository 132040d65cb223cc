// The charts of the traffic page, as ECharts' options.

import { dateTime, duration, number, time } from '../format.js';

const GRID = { left: 4, right: 12, top: 36, bottom: 4, containLabel: true };
const LEGEND = { top: 0, left: 0 };
const MINUTES_5 = 5 * 60_000;
const HOUR = 3_600_000;
const shortTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** Requests and errors a second over the last five minutes. */
export function perSecond(points, now) {
  return lines(points, now - MINUTES_5, now, (value) => number(round(value)), [
    { name: 'Requests', field: 'requests', filled: true },
    { name: 'Errors', field: 'errors', filled: true },
  ]);
}

/** Response times step by step, of GET /traffic/series. */
export function latency(items) {
  const points = items.map((item) => ({ ...item, at: Date.parse(item.at) }));
  return lines(points, points.at(0)?.at, points.at(-1)?.at, duration, [
    { name: 'p50', field: 'p50' },
    { name: 'p95', field: 'p95' },
    { name: 'p99', field: 'p99' },
  ]);
}

/** The last 24 hours; those in which nothing came in stand as zero. */
export function hourly(items, now) {
  const hours = lastHours(items, now);
  return {
    animation: false,
    grid: GRID,
    legend: LEGEND,
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: ([bar]) => hourText(hours[bar.dataIndex]) },
    xAxis: { type: 'category', data: hours.map(({ at }) => shortTime.format(at)) },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      { name: 'Answered', type: 'bar', stack: 'all', barMaxWidth: 22, data: hours.map(({ requests, errors }) => requests - errors) },
      { name: 'Errors', type: 'bar', stack: 'all', barMaxWidth: 22, data: hours.map(({ errors }) => errors) },
    ],
  };
}

/** The last requests of one endpoint: when, and how long. */
export function scatter(samples) {
  const dots = (name, wanted) => ({ name, type: 'scatter', symbolSize: 5, itemStyle: { opacity: 0.6 }, data: samples.filter(wanted).map(({ at, ms, status }) => [Date.parse(at), ms, status]) });
  return {
    animation: false,
    grid: { ...GRID, right: 36 },
    legend: LEGEND,
    tooltip: { trigger: 'item', formatter: ({ value: [at, ms, status] }) => `${dateTime(at)}\n${status} in ${duration(ms)}` },
    xAxis: { type: 'time', axisLabel: { hideOverlap: true, formatter: (at) => time(at) }, splitNumber: 3 },
    yAxis: { type: 'value', min: 0, splitNumber: 4, axisLabel: { formatter: duration } },
    series: [dots('Answered', ({ status }) => status < 400), dots('Errors', ({ status }) => status >= 400)],
  };
}

function lines(points, from, to, format, series) {
  return {
    animation: false,
    grid: GRID,
    legend: LEGEND,
    tooltip: { trigger: 'axis', valueFormatter: format },
    xAxis: { type: 'time', min: from, max: to, splitNumber: 5, axisLabel: { hideOverlap: true, formatter: (at) => shortTime.format(at) } },
    yAxis: { type: 'value', min: 0, splitNumber: 4, axisLabel: { formatter: format } },
    series: series.map(({ name, field, filled }) => ({
      name,
      type: 'line',
      showSymbol: isolated(points, field),
      symbolSize: 5,
      lineStyle: { width: 1.75 },
      areaStyle: filled ? { opacity: 0.14 } : undefined,
      data: points.map((point) => [point.at, point[field] ?? null]),
    })),
  };
}

// A point between two gaps makes no line: it is drawn as a dot.
function isolated(points, field) {
  const known = (point) => typeof point?.[field] === 'number';
  return points.some((point, i) => known(point) && !known(points[i - 1]) && !known(points[i + 1]));
}

function lastHours(items, now) {
  const known = new Map(items.map((item) => [Date.parse(item.hour), item]));
  const current = Math.floor(now / HOUR) * HOUR;
  return Array.from({ length: 24 }, (_, i) => current - (23 - i) * HOUR).map((at) => ({ requests: 0, errors: 0, ...known.get(at), at }));
}

function hourText({ at, requests, errors, p95 }) {
  return [`${shortTime.format(at)} – ${shortTime.format(at + HOUR)}`, `${number(requests)} requests, ${number(errors)} errors`, p95 === undefined ? null : `p95 ${duration(p95)}`].filter(Boolean).join('\n');
}

function round(value) {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value;
}
