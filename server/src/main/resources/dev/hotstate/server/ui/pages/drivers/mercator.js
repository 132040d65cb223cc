// The web's Mercator projection by hand, and what part of the world a rectangle of pixels shows. The world is a square of
// side 1: x from the antimeridian eastward, y from 85.05 degrees north southward.

export const MOST_LAT = 85.05112878;
const EARTH_KM = 6372.797560856; // as Redis has it
const LEAST = 256; // pixels for the whole world
const MOST = 256 * 2 ** 20; // 15 cm a pixel

const radians = (degrees) => (degrees * Math.PI) / 180;
const degrees = (angle) => (angle * 180) / Math.PI;
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

export const xOf = (lon) => (lon + 180) / 360;
export const lonOf = (x) => (x - Math.floor(x)) * 360 - 180;
export const latOf = (y) => degrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))));
export function yOf(lat) {
  const sine = Math.sin(radians(clamp(lat, -MOST_LAT, MOST_LAT)));
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The outline of a circle on the earth, as points of the world; x goes on beyond 0 and 1 rather than jump. */
export function circle({ lat, lon }, km, points = 96) {
  const reach = km / EARTH_KM;
  const [sine, cosine] = [Math.sin(radians(lat)), Math.cos(radians(lat))];
  return Array.from({ length: points }, (_, i) => {
    const bearing = (2 * Math.PI * i) / points;
    const to = Math.asin(sine * Math.cos(reach) + cosine * Math.sin(reach) * Math.cos(bearing));
    const by = Math.atan2(Math.sin(bearing) * Math.sin(reach) * cosine, Math.cos(reach) - sine * Math.sin(to));
    return { x: xOf(lon + degrees(by)), y: yOf(degrees(to)) };
  });
}

/** An outline of places, each line of which goes the shorter way round. */
export function outline(shape) {
  let last = null;
  return shape.map(([lat, lon]) => {
    const x = last === null ? xOf(lon) : last + shorter(xOf(lon) - last);
    last = x;
    return { x, y: yOf(lat) };
  });
}

const shorter = (dx) => dx - Math.round(dx);

/** What is shown: the middle of the world's square that is in the middle of the pixels, and how large the world is. */
export class View {
  x = 0.5;
  y = 0.42;
  scale = LEAST;
  width = 0;
  height = 0;

  resize(width, height) {
    if (this.width === width && this.height === height) return false;
    [this.width, this.height] = [width, height];
    this.#settle();
    return true;
  }

  /** Where a point of the world is: of its copies round the world the one nearest to the middle. */
  at(x, y) {
    return { left: this.width / 2 + shorter(x - this.x) * this.scale, top: this.height / 2 + (y - this.y) * this.scale };
  }

  place({ lat, lon }) {
    return this.at(xOf(lon), yOf(lat));
  }

  /** The place under a pixel. */
  under(left, top) {
    const y = clamp(this.y + (top - this.height / 2) / this.scale, 0, 1);
    return { lat: latOf(y), lon: lonOf(this.x + (left - this.width / 2) / this.scale) };
  }

  shift(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.#settle();
  }

  zoom(factor, left = this.width / 2, top = this.height / 2) {
    const before = this.scale;
    this.scale = clamp(this.scale * factor, this.#least, MOST);
    const gained = 1 / before - 1 / this.scale;
    this.x += (left - this.width / 2) * gained;
    this.y += (top - this.height / 2) * gained;
    this.#settle();
  }

  go({ lat, lon, zoom }) {
    this.x = xOf(lon);
    this.y = yOf(lat);
    this.scale = 256 * 2 ** zoom;
    this.#settle();
  }

  /** So that all of these are seen, with some room around them; no nearer than streets. */
  fit(places, room = 60, nearest = 14) {
    const xs = places.map(({ lon }) => xOf(lon));
    const ys = places.map(({ lat }) => yOf(lat));
    const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.x = (west + east) / 2;
    this.y = (north + south) / 2;
    const wide = Math.max(1, this.width - 2 * room) / Math.max(1e-9, east - west);
    const high = Math.max(1, this.height - 2 * room) / Math.max(1e-9, south - north);
    this.scale = Math.min(wide, high, 256 * 2 ** nearest);
    this.#settle();
  }

  get centre() {
    return { lat: latOf(this.y), lon: lonOf(this.x), zoom: Math.log2(this.scale / 256) };
  }

  get box() {
    const half = this.width / 2 / this.scale;
    const whole = half >= 0.4999;
    return {
      south: latOf(clamp(this.y + this.height / 2 / this.scale, 0, 1)),
      west: whole ? -180 : lonOf(this.x - half),
      north: latOf(clamp(this.y - this.height / 2 / this.scale, 0, 1)),
      east: whole ? 180 : lonOf(this.x + half),
    };
  }

  /** Kilometres that a pixel is wide, in the middle. */
  get kilometres() {
    return (2 * Math.PI * EARTH_KM * Math.cos(radians(latOf(this.y)))) / this.scale;
  }

  // The world is never smaller than its place, so that nothing is seen twice.
  get #least() {
    return Math.max(LEAST, this.width, this.height);
  }

  #settle() {
    this.scale = clamp(this.scale, this.#least, MOST);
    const half = this.height / 2 / this.scale;
    this.y = clamp(this.y, half, 1 - half);
    this.x -= Math.floor(this.x);
  }
}
