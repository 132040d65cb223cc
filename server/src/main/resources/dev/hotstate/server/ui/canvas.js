// A canvas that follows the size of its place, the screen's pixels and the theme. `draw(context, width, height, colour)`
// is called once a frame at most, after `redraw()`; `colour('up-fill')` is what theme.css says now.

import { onThemeChange } from './appearance.js';

export class Drawing {
  #canvas;
  #draw;
  #frame = 0;
  #colours = new Map();
  #stops = [];

  constructor(canvas, draw) {
    this.#canvas = canvas;
    this.#draw = draw;
    const size = new ResizeObserver(() => this.redraw());
    size.observe(canvas);
    this.#stops = [() => size.disconnect(), onThemeChange(() => (this.#colours.clear(), this.redraw()))];
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#stops.forEach((stop) => stop());
  }

  redraw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    const ratio = devicePixelRatio || 1;
    if (this.#canvas.width !== Math.round(width * ratio) || this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
    }
    const context = this.#canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#draw(context, width, height, (name) => this.#colour(name));
  }

  #colour(name) {
    if (!this.#colours.has(name)) {
      const probe = this.#canvas.parentElement.appendChild(document.createElement('i'));
      probe.style.color = `var(--${name})`;
      this.#colours.set(name, getComputedStyle(probe).color);
      probe.remove();
    }
    return this.#colours.get(name);
  }
}

/** A text cut to a width, with dots at its end; measured once for each text and width. */
export function fitting(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}
