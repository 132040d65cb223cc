// What lies below the map where the server is configured for it (drivers.tiles.url): square images of 256 pixels, from
// wherever that says. Without them the map has its lines and shapes.

import { session } from '../../session.js';

const DEEPEST = 19;
const KEPT = 300; // images; those that were seen last

export class Tiles {
  #images = new Map();
  #redraw;

  constructor(redraw) {
    this.#redraw = redraw;
  }

  /** What the owner of the images wants to be read, or nothing. */
  get attribution() {
    return session.config?.tiles?.attribution ?? '';
  }

  draw(context, view) {
    const template = session.config?.tiles?.url;
    if (!template) return;
    const z = Math.min(DEEPEST, Math.max(0, Math.round(Math.log2(view.scale / 256))));
    const across = 2 ** z;
    const size = view.scale / across;
    const [left, top] = [view.x * across - view.width / 2 / size, view.y * across - view.height / 2 / size];
    context.globalAlpha = 0.75;
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(across, top + view.height / size); y++) {
      for (let x = Math.floor(left); x < left + view.width / size; x++) {
        const image = this.#image(template, z, ((x % across) + across) % across, y);
        if (image.complete && image.naturalWidth > 0) context.drawImage(image, (x - left) * size, (y - top) * size, size + 0.5, size + 0.5);
      }
    }
    context.globalAlpha = 1;
  }

  #image(template, z, x, y) {
    const url = template.replace('{z}', z).replace('{x}', x).replace('{y}', y);
    const image = this.#images.get(url) ?? this.#load(url);
    this.#images.delete(url);
    this.#images.set(url, image);
    if (this.#images.size > KEPT) this.#images.delete(this.#images.keys().next().value);
    return image;
  }

  // With CORS: a page that isolates itself from other origins may show no others' images without.
  #load(url) {
    const image = new Image();
    image.crossOrigin = 'anonymous';
    image.onload = this.#redraw;
    image.src = url;
    return image;
  }
}
