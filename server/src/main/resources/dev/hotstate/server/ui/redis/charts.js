// The charts of the Redis page's audits, as ECharts' options.

import { bytes, dateTime, words } from '../format.js';

const MOST = 5;
const shortTime = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

/** Memory of the largest families and of the rest over time, of GET /audit/history (the newest first). */
export function memoryOverTime(items) {
  const points = [...items].reverse();
  const names = largest(points);
  const at = (point) => Date.parse(point.at);
  const series = names.map((name) => area(name, points.map((point) => [at(point), familyBytes(point, name)])));
  const others = points.map((point) => [at(point), Math.max(0, point.used_bytes - names.reduce((sum, name) => sum + familyBytes(point, name), 0))]);
  return {
    animation: false,
    grid: { left: 4, right: 52, top: 36, bottom: 4, containLabel: true },
    legend: { top: 0, left: 0, type: 'scroll' },
    tooltip: { trigger: 'axis', valueFormatter: bytes },
    xAxis: { type: 'time', splitNumber: 4, axisLabel: { hideOverlap: true, formatter: (when) => shortTime.format(when) } },
    yAxis: { type: 'value', min: 0, splitNumber: 4, axisLabel: { formatter: bytes } },
    series: [...series, area('All else', others)],
  };
}

/** Where the memory in use is, of a report. */
export function explained(memory) {
  const parts = [['Families', memory.attributed], ...Object.entries(memory.explained).map(([name, value]) => [words(name), value])]
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => a - b);
  return {
    grid: { left: 4, right: 84, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: { type: 'category', data: parts.map(([name]) => name), axisLabel: { width: 150, overflow: 'truncate' } },
    tooltip: { trigger: 'item', formatter: ({ dataIndex }) => `${parts[dataIndex][0]}\n${bytes(parts[dataIndex][1])}` },
    series: [{
      type: 'bar',
      barMaxWidth: 14,
      data: parts.map(([, value]) => value),
      itemStyle: { borderRadius: [0, 4, 4, 0] },
      label: { show: true, position: 'right', color: 'inherit', formatter: ({ value }) => bytes(value) },
    }],
  };
}

/** How many bars `explained` draws. */
export function explainedBars(memory) {
  return 1 + Object.values(memory.explained).filter((value) => value > 0).length;
}

/** What the first chart says, in a sentence. */
export function growth(items) {
  const [last] = items;
  const first = items.at(-1);
  const change = last.used_bytes - first.used_bytes;
  return `${bytes(last.used_bytes)} in use, ${change < 0 ? `${bytes(-change)} less` : `${bytes(change)} more`} than ${dateTime(first.at)}`;
}

function area(name, data) {
  return { name, type: 'line', stack: 'memory', showSymbol: data.length === 1, symbolSize: 5, lineStyle: { width: 1 }, areaStyle: { opacity: 0.35 }, data };
}

function largest(points) {
  const most = new Map();
  points.forEach((point) => point.families.forEach(({ name, bytes: size }) => most.set(name, Math.max(size, most.get(name) ?? 0))));
  return [...most].filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a).slice(0, MOST).map(([name]) => name);
}

function familyBytes(point, name) {
  return point.families.find((family) => family.name === name)?.bytes ?? 0;
}
