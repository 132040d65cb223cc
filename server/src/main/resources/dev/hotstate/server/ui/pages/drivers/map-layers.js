// What a map of drivers is painted of, from the ground up. Each takes the drawing context, the view and `colour(name)`.

import { compact } from '../../format.js';
import { circle, lonOf, outline, xOf, yOf } from './mercator.js';
import { COLOURS, parts } from './statuses.js';

const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
const LINES_APART = 90;
const LONGEST_BAR = 130;
const FONT = '11px system-ui, sans-serif';
const DOT = 4.5;
const ARROWS_FROM = 256 * 2 ** 12; // farther off they are only spikes

/** Meridians and parallels. Answers what is to be written at the edges. */
export function graticule(context, view, colour) {
  const step = STEPS.findLast((degrees) => (degrees / 360) * view.scale >= LINES_APART) ?? STEPS[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const lines = new Path2D();
  const labels = [];
  const half = view.width / 2 / view.scale;
  const first = Math.ceil(((view.x - half) * 360 - 180) / step) * step;
  for (let lon = first; lon <= (view.x + half) * 360 - 180; lon += step) {
    const left = Math.round(view.width / 2 + (xOf(lon) - view.x) * view.scale) + 0.5;
    lines.moveTo(left, 0);
    lines.lineTo(left, view.height);
    labels.push([degreesText(lonOf(xOf(lon)), digits, 'E', 'W'), left + 4, view.height - 6]);
  }
  const { south, north } = view.box;
  for (let lat = Math.ceil(south / step) * step; lat <= north; lat += step) {
    const top = Math.round(view.height / 2 + (yOf(lat) - view.y) * view.scale) + 0.5;
    lines.moveTo(0, top);
    lines.lineTo(view.width, top);
    labels.push([degreesText(lat, digits, 'N', 'S'), 6, top - 4]);
  }
  context.strokeStyle = colour('line');
  context.lineWidth = 1;
  context.stroke(lines);
  return labels.filter(([, , top]) => top < view.height - 22 || top === view.height - 6);
}

/** The degrees, above all that is painted over their lines. */
export function degrees(context, colour, labels) {
  context.font = FONT;
  context.textAlign = 'start';
  for (const [text, left, top] of labels) haloed(context, colour, text, left, top, 'ink-faint');
}

function haloed(context, colour, text, left, top, ink) {
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colour('surface');
  context.strokeText(text, left, top);
  context.fillStyle = colour(ink);
  context.fillText(text, left, top);
}

function degreesText(value, digits, positive, negative) {
  const size = Math.abs(value).toFixed(digits);
  return `${size}°${Number(size) === 0 || Number(size) === 180 ? '' : value > 0 ? positive : negative}`;
}

/** The outlines of regions. Answers where their names go. */
export function regions(context, view, colour, all) {
  const names = [];
  for (const { id, shape } of all) {
    if (shape.length < 3) continue;
    const points = outline(shape);
    const middle = points.reduce((sum, { x, y }) => ({ x: sum.x + x / points.length, y: sum.y + y / points.length }), { x: 0, y: 0 });
    const path = polygon(view, points, middle.x);
    context.globalAlpha = 0.06;
    context.fillStyle = colour('chart-1');
    context.fill(path);
    context.globalAlpha = 0.85;
    context.strokeStyle = colour('chart-1');
    context.lineWidth = 1.5;
    context.stroke(path);
    context.globalAlpha = 1;
    names.push([id, view.at(middle.x, 0).left, edge(view, points.map(({ y }) => y))]);
  }
  return names;
}

// Inside its upper edge, or its lower one if that is not seen.
function edge(view, ys) {
  const top = view.at(0, Math.min(...ys)).top;
  return top >= 0 ? top + 16 : view.at(0, Math.max(...ys)).top - 8;
}

/** What they are called, above all that is in them. */
export function names(context, colour, all) {
  context.font = `600 12px ${FONT.slice(5)}`;
  context.textAlign = 'center';
  for (const [id, left, top] of all) haloed(context, colour, id, left, top, 'chart-1');
}

// All of its points beside the copy of the world that its middle is seen in.
function polygon(view, points, middle) {
  const by = view.at(middle, 0).left - middle * view.scale;
  const path = new Path2D();
  for (const { x, y } of points) path.lineTo(by + x * view.scale, view.height / 2 + (y - view.y) * view.scale);
  path.closePath();
  return path;
}

/** Drivers, and how many stand together: a ring of what they are around their number. Answers where each was painted. */
export function marks(context, view, colour, all, chosen) {
  const painted = [];
  const arrows = view.scale >= ARROWS_FROM;
  for (const mark of all) {
    const { left, top } = view.place(mark);
    if (left < -30 || top < -30 || left > view.width + 30 || top > view.height + 30) continue;
    const radius = mark.count === 1 ? DOT : 9 + 3.2 * Math.log10(mark.count);
    painted.push({ mark, left, top, radius, arrows });
  }
  painted.sort((a, b) => a.mark.count - b.mark.count);
  for (const one of painted) (one.mark.count === 1 ? dot : cluster)(context, one, colour, one.mark.id !== undefined && one.mark.id === chosen);
  return painted;
}

function dot(context, { mark, left, top, arrows }, colour, chosen) {
  const [state] = Object.entries(parts(mark)).find(([, count]) => count > 0) ?? ['offline'];
  if (chosen) ring(context, left, top, DOT + 5, colour('ember'), 2);
  if (arrows && typeof mark.heading === 'number') arrow(context, left, top, mark.heading, colour(COLOURS[state]));
  disc(context, left, top, DOT, colour(COLOURS[state]));
  ring(context, left, top, DOT, colour('surface'), 1);
}

function arrow(context, left, top, heading, fill) {
  context.save();
  context.translate(left, top);
  context.rotate((heading * Math.PI) / 180);
  context.beginPath();
  context.moveTo(0, -DOT - 5);
  context.lineTo(DOT - 0.8, -DOT + 1.8);
  context.lineTo(-DOT + 0.8, -DOT + 1.8);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  context.restore();
}

function cluster(context, { mark, left, top, radius }, colour) {
  disc(context, left, top, radius + 1, colour('surface'));
  let from = -Math.PI / 2;
  for (const [state, count] of Object.entries(parts(mark))) {
    if (count <= 0) continue;
    const to = from + (2 * Math.PI * count) / mark.count;
    context.beginPath();
    context.arc(left, top, radius - 1.5, from, to);
    context.strokeStyle = colour(COLOURS[state]);
    context.lineWidth = 3.5;
    context.stroke();
    from = to;
  }
  context.font = `600 ${mark.count < 100 ? 11 : 10}px ${FONT.slice(5)}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = colour('ink');
  context.fillText(mark.count < 1000 ? String(mark.count) : compact(mark.count), left, top + 0.5);
  context.textBaseline = 'alphabetic';
}

/** What is searched. */
export function search(context, view, colour, { lat, lon, radius }) {
  const points = circle({ lat, lon }, radius);
  const path = polygon(view, points, xOf(lon));
  context.globalAlpha = 0.07;
  context.fillStyle = colour('ember');
  context.fill(path);
  context.globalAlpha = 1;
  context.strokeStyle = colour('ember');
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.stroke(path);
  context.setLineDash([]);
}

/** Its middle, and who was found, numbered from the nearest on. */
export function found(context, view, colour, search, drivers) {
  cross(context, view.place(search), colour('ember'));
  for (const [i, driver] of [...drivers.entries()].reverse()) {
    const { left, top } = view.place(driver);
    disc(context, left, top, DOT, colour('up-fill'));
    ring(context, left, top, DOT + 4, colour('ember'), 2);
    if (i < 9) label(context, left + 11, top - 9, String(i + 1), colour);
  }
}

function label(context, left, top, text, colour) {
  disc(context, left, top, 7.5, colour('ember'));
  context.font = `700 10px ${FONT.slice(5)}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = colour('on-ember');
  context.fillText(text, left, top + 0.5);
  context.textBaseline = 'alphabetic';
}

function cross(context, { left, top }, stroke) {
  context.strokeStyle = stroke;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(left - 7, top);
  context.lineTo(left + 7, top);
  context.moveTo(left, top - 7);
  context.lineTo(left, top + 7);
  context.stroke();
}

/** A box that is being drawn: two corners in pixels. */
export function box(context, colour, from, to) {
  context.globalAlpha = 0.12;
  context.fillStyle = colour('ember');
  context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
  context.globalAlpha = 1;
  context.strokeStyle = colour('ember');
  context.lineWidth = 1.5;
  context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
}

/** How long a kilometre is here. Answers what is written above it. */
export function scaleBar(context, view, colour) {
  const most = view.kilometres * LONGEST_BAR;
  const ten = 10 ** Math.floor(Math.log10(most));
  const km = [5, 2, 1].find((n) => n * ten <= most) * ten;
  const long = km / view.kilometres;
  const [right, bottom] = [view.width - 14, view.height - 26];
  context.globalAlpha = 0.85;
  context.fillStyle = colour('surface');
  context.fillRect(right - long - 6, bottom - 20, long + 12, 25);
  context.globalAlpha = 1;
  context.strokeStyle = colour('ink-soft');
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(right - long, bottom - 5);
  context.lineTo(right - long, bottom);
  context.lineTo(right, bottom);
  context.lineTo(right, bottom - 5);
  context.stroke();
  context.font = FONT;
  context.textAlign = 'center';
  const text = km >= 1 ? `${km.toLocaleString()} km` : `${Math.round(km * 1000)} m`;
  haloed(context, colour, text, right - long / 2, bottom - 8, 'ink-soft');
  return text;
}

/** Beyond the ends of the map there is nothing. */
export function ground(context, view, colour) {
  context.fillStyle = colour('surface');
  context.fillRect(0, 0, view.width, view.height);
}

function disc(context, left, top, radius, fill) {
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
}

function ring(context, left, top, radius, stroke, width) {
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.stroke();
}
