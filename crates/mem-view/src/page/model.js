// The data of the page, and questions about it. Steps have two points each: step s reads at point
// 2 s and writes at point 2 s + 1. A place is [buffer, level, start, end, low, high]: its points and
// its bytes, both half-open.

const data = JSON.parse(document.getElementById('data').textContent);
const ROLES = ['weight', 'input', 'output', 'activation', 'gradient', 'workspace', 'tile'];
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

const textOf = index => data.texts[index];

/** Bytes for people: one decimal, and halves to even, as in the other reports. */
function human(bytes) {
  let unit = 0;
  let value = bytes;
  while (value >= 1023.95 && unit < UNITS.length - 1) { value /= 1024; unit++; }
  if (unit === 0) return `${Math.round(value)} B`;
  const tenths = Math.round(10 * value);
  const isHalf = tenths - 10 * value === 0.5;
  return `${((isHalf && tenths % 2 === 1 ? tenths - 1 : tenths) / 10).toFixed(1)} ${UNITS[unit]}`;
}

/** As `human`, with a second decimal if the first is not exact, as for a tick at 1.25 GiB. */
function tickLabel(bytes) {
  const unit = UNITS[Math.max(Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1), 0)];
  const decimals = (bytes / 1024 ** UNITS.indexOf(unit)).toFixed(2);
  return decimals.endsWith('0') ? human(bytes) : `${decimals} ${unit}`;
}

/** A whole number with its thousands separated. */
const grouped = number => Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');

const buffersOf = fn => fn.buffers;
const nameOfStep = (fn, step) => step < fn.steps.length ? textOf(fn.steps[step][0]) : 'end';
const stepsOf = place => {
  const first = Math.floor(place[2] / 2);
  return [first, Math.max(first, Math.ceil(place[3] / 2) - 1)];
};

/** The bytes that a text such as `64KiB`, `1.5 MB` or `100` means; NaN if it means none. */
function parseBytes(text) {
  const parts = /^([\d.]+)\s*([kmgtp]?)(i?)b?$/i.exec(text);
  if (!parts) return NaN;
  const power = ' kmgtp'.indexOf(parts[2].toLowerCase() || ' ');
  return Number(parts[1]) * (parts[3] || !parts[2] ? 1024 : 1000) ** power;
}

/** The predicate on buffers of a search. All terms must hold; an unreadable size matches nothing. */
function parseSearch(query, fn) {
  const terms = query.trim().toLowerCase().split(/\s+/).filter(term => term);
  const field = {
    name: own => own.name, role: own => own.role, type: own => textOf(own.ty),
    op: own => own.by === null ? '' : nameOfStep(fn, own.by), at: own => textOf(own.at),
  };
  const tests = terms.map(term => {
    const size = /^size(>=|<=|>|<|=)(.+)$/.exec(term);
    if (size) {
      const limit = parseBytes(size[2]);
      const holds = {
        '>': own => own.size > limit, '<': own => own.size < limit, '=': own => own.size === limit,
        '>=': own => own.size >= limit, '<=': own => own.size <= limit,
      };
      return holds[size[1]];
    }
    const named = /^(name|role|type|op|at):(.*)$/.exec(term);
    if (named) return own => field[named[1]](own).toLowerCase().includes(named[2]);
    return own => Object.values(field).some(get => get(own).toLowerCase().includes(term));
  });
  return own => tests.every(test => test(own));
}

/** Live bytes at a point; `live` is [[point, bytes]] at each change. */
function liveAt(live, point) {
  let [low, high] = [0, live.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (live[middle][0] <= point) low = middle + 1; else high = middle;
  }
  return low === 0 ? 0 : live[low - 1][1];
}

/** The places that are live only while a group [number, first step, last step, steps] runs. */
const placesInside = (places, [, first, last]) =>
  places.filter(place => place[2] >= 2 * first && place[3] <= 2 * last + 2);

/** Bytes of places; those that several share, as results that are written in place do, count once. */
function bytesOf(places) {
  let [sum, end] = [0, 0];
  for (const place of [...places].sort((a, b) => a[4] - b[4])) {
    sum += Math.max(place[5] - Math.max(place[4], end), 0);
    end = Math.max(end, place[5]);
  }
  return sum;
}

/** The first point of a range at which places of one level take the most bytes, and the places that
 * are live then. */
function fullest(places, start, end) {
  const own = places.filter(place => place[2] < end && place[3] > start).sort((a, b) => a[2] - b[2]);
  let [most, live, next] = [{ point: start, bytes: 0, live: [] }, [], 0];
  for (const point of new Set(own.map(place => Math.max(place[2], start)))) {
    live = live.filter(place => place[3] > point);
    while (next < own.length && own[next][2] <= point) live.push(own[next++]);
    const bytes = bytesOf(live);
    if (bytes > most.bytes) most = { point, bytes, live };
  }
  return most;
}

/** The places of a plan that are live at any of the steps first..last, largest first. */
function liveDuring(plan, first, last) {
  const own = plan.places.filter(place => place[2] < 2 * last + 2 && place[3] > 2 * first);
  return own.sort((a, b) => (b[5] - b[4]) - (a[5] - a[4]) || a[0] - b[0]);
}
