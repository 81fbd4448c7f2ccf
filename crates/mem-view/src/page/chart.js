// One canvas for each level of each plan: the curve of live bytes above, the places of buffers
// below. All canvases share the range of steps, and those of one level the range of bytes, so that
// two plans can be compared.

const LEFT = 74, RIGHT = 12, CURVE = 70, GAP = 14, BELOW = 26, TOP = 6;
const MAP_TOP = TOP + CURVE + GAP;
// Of the places: one diagram alone has the room of two, or half of a high window. The rest is for tables.
let MAP = 230;
const fitMap = (nCharts, isPaper) => {
  MAP = nCharts > 1 ? 230 : isPaper ? 460 : Math.max(Math.round(innerHeight / 2), 460);
};
const heightOf = () => MAP_TOP + MAP + BELOW;

/** Black or white, whichever is easier to read on a colour: their contrasts are 4.5 to 1 or more, as WCAG asks
 * for. `shade`: black of some opacity that covers the colour, or null. */
function readable(color, shade) {
  const cover = shade === null ? 0 : parseInt(shade.slice(7), 16) / 255;
  const [red, green, blue] = [1, 3, 5].map(at => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255 * (1 - cover);
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/** Steps of 1, 2 or 5 times a power of ten (or a power of two, for bytes) that divide a range. */
function tickStep(range, most, isBytes) {
  const least = Math.max(range / most, 1);
  if (isBytes) return 2 ** Math.ceil(Math.log2(least));
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least);
}

/** Height of a line of text in a diagram. */
const LINE = 12;

/** Whether two boxes [left, top, right, bottom] share a point. */
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** The part [start, end] of a range of x that no rectangle from `next` on covers, at any of the heights. */
function uncovered([start, end], [top, bottom], rectangles, next) {
  for (let index = next; index < rectangles.length; index++) {
    const own = rectangles[index];
    if (own.bottom <= top || bottom <= own.top || own.right <= start || end <= own.left) continue;
    // What is left is one side of the rectangle, the wider one.
    if (own.left - start > end - own.right) end = own.left; else start = own.right;
  }
  return [start, end];
}

class Chart {
  constructor(view, planIndex, levelIndex, canvas) {
    Object.assign(this, { view, planIndex, levelIndex, canvas });
    this.plan = view.fn.plans[planIndex];
    this.level = this.plan.levels[levelIndex];
    this.places = this.plan.places.filter(place => place[1] === levelIndex);
  }

  /** Both ranges are half-open: points, and bytes of the level. */
  get points() { return this.view.points; }
  get bytes() { return this.view.bytes[this.levelIndex]; }
  get plotWidth() { return this.width - LEFT - RIGHT; }
  x(point) { return LEFT + (point - this.points[0]) / (this.points[1] - this.points[0]) * this.plotWidth; }
  y(byte) { return MAP_TOP + MAP * (1 - (byte - this.bytes[0]) / (this.bytes[1] - this.bytes[0])); }
  pointAt(x) { return this.points[0] + (x - LEFT) / this.plotWidth * (this.points[1] - this.points[0]); }
  byteAt(y) { return this.bytes[0] + (1 - (y - MAP_TOP) / MAP) * (this.bytes[1] - this.bytes[0]); }
  stepAt(x) {
    return Math.min(Math.max(Math.floor(this.pointAt(x) / 2), 0), Math.max(this.view.fn.steps.length - 1, 0));
  }

  /** The topmost shown place below a position, if there is one. */
  placeAt(x, y) {
    if (y < MAP_TOP || y > MAP_TOP + MAP || x < LEFT) return null;
    const [point, byte] = [this.pointAt(x), this.byteAt(y)];
    const hit = place => place[2] <= point && point < place[3] && place[4] <= byte && byte < place[5];
    return this.places.findLast(place => hit(place) && this.view.isShown(place[0])) ?? null;
  }

  draw() {
    const scale = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.canvas.style.height = `${heightOf()}px`;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(heightOf() * scale);
    this.pen = this.canvas.getContext('2d');
    this.pen.scale(scale, scale);
    this.pen.font = '11px system-ui, sans-serif';
    this.color = this.view.colors;
    this.pen.fillStyle = this.color.back;
    this.pen.fillRect(0, 0, this.width, heightOf());
    this.drawAxes();
    this.drawCurve();
    this.clipped(MAP_TOP, MAP, () => { this.drawPlaces(); this.drawFrames(); this.drawTransfers(); });
    this.drawSelectedSteps();
  }

  /** Draws inside the plot only. */
  clipped(top, height, work) {
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(LEFT, top, this.plotWidth, height);
    this.pen.clip();
    work();
    this.pen.restore();
  }

  line(x0, y0, x1, y1, color, dash = []) {
    const pen = this.pen;
    pen.strokeStyle = color;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    pen.setLineDash([]);
  }

  drawAxes() {
    const { pen, color } = this;
    pen.lineWidth = 1;
    pen.fillStyle = color.dim;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const ofBytes = tickStep(this.bytes[1] - this.bytes[0], 6, true);
    for (let byte = Math.ceil(this.bytes[0] / ofBytes) * ofBytes; byte <= this.bytes[1]; byte += ofBytes) {
      const y = this.y(byte);
      this.line(LEFT, y, this.width - RIGHT, y, color.grid);
      pen.fillText(tickLabel(byte), LEFT - 6, y);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    const [first, last] = this.points.map(point => point / 2);
    const ofSteps = tickStep(last - first, this.plotWidth / 70, false);
    for (let step = Math.ceil(first / ofSteps) * ofSteps; step <= last; step += ofSteps) {
      const x = this.x(2 * step);
      this.line(x, MAP_TOP, x, MAP_TOP + MAP + 4, color.grid);
      pen.fillText(`${step}`, x, MAP_TOP + MAP + 7);
    }
    pen.textAlign = 'right';
    pen.fillText('step', LEFT - 6, MAP_TOP + MAP + 7);
    pen.strokeStyle = color.line;
    pen.strokeRect(LEFT, MAP_TOP, this.plotWidth, MAP);
    pen.strokeRect(LEFT, TOP, this.plotWidth, CURVE);
  }

  /** Live bytes over time, with the peak and its lower bound; from 0 to the capacity or the peak. */
  drawCurve() {
    const { pen, color, level } = this;
    const most = Math.max(this.view.most[this.levelIndex], 1);
    // Some room above, so that the lines of peak and bound do not hide in the frame.
    const y = bytes => TOP + CURVE * (1 - 0.93 * Math.min(bytes / most, 1));
    pen.fillStyle = color.dim;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    pen.fillText(human(most), LEFT - 6, y(most));
    pen.fillText('live', LEFT - 6, TOP + CURVE / 2);
    pen.fillText('0', LEFT - 6, TOP + CURVE - 5);
    this.clipped(TOP, CURVE, () => {
      pen.beginPath();
      pen.moveTo(LEFT, y(0));
      let bytes = liveAt(level.live, this.points[0]);
      pen.lineTo(LEFT, y(bytes));
      for (const [point, next] of level.live) {
        if (point < this.points[0]) continue;
        if (point > this.points[1]) break;
        pen.lineTo(this.x(point), y(bytes));
        pen.lineTo(this.x(point), y(next));
        bytes = next;
      }
      pen.lineTo(this.width - RIGHT, y(bytes));
      pen.lineTo(this.width - RIGHT, y(0));
      pen.fillStyle = `${color.curve}55`;
      pen.fill();
      pen.strokeStyle = color.curve;
      pen.stroke();
      // The bound is drawn over the peak: where both coincide, both colours show.
      this.line(LEFT, y(level.peak), this.width - RIGHT, y(level.peak), color.peak);
      this.line(LEFT, y(level.bound), this.width - RIGHT, y(level.bound), color.bound, [5, 5]);
    });
  }

  drawPlaces() {
    const { pen, color, view } = this;
    const rectangles = [];
    // Whatever a search does not find is below the rest. Its colours are opaque: a thousand thin places in one row of
    // pixels would add up to the colour of a place that is found.
    const faded = Object.fromEntries(ROLES.map(role => [role, `color-mix(in srgb, ${color[role]} 12%, ${color.back})`]));
    const isFound = place => view.isShown(place[0]);
    const ordered = [...this.places.filter(place => !isFound(place)), ...this.places.filter(isFound)];
    for (const place of ordered) {
      const [buffer, , start, end, low, high] = place;
      if (end < this.points[0] || start > this.points[1] || high < this.bytes[0] || low > this.bytes[1]) continue;
      const own = view.fn.buffers[buffer];
      const isShown = view.isShown(buffer);
      const [x, y] = [this.x(start), this.y(high)];
      // At least a pixel: a place that is too small to see is still there.
      const [width, height] = [Math.max(this.x(end) - x, 1), Math.max(this.y(low) - y, 1)];
      pen.globalAlpha = !isShown || view.buffer === null || view.buffer === buffer ? 1 : 0.6;
      pen.fillStyle = (isShown ? color : faded)[own.role];
      pen.fillRect(x, y, width, height);
      // Two shades tell neighbours of one role apart.
      if (isShown && buffer % 2) {
        pen.fillStyle = color.shade;
        pen.fillRect(x, y, width, height);
      }
      if (width > 3 && height > 3) {
        pen.strokeStyle = color.back;
        pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      }
      const ink = isShown ? readable(color[own.role], buffer % 2 ? color.shade : null) : null;
      rectangles.push({ left: x, top: y, right: x + width, bottom: y + height, name: own.name, ink });
    }
    pen.globalAlpha = 1;
    pen.textBaseline = 'middle';
    this.labels = [];
    rectangles.forEach((own, index) => { if (own.ink !== null) this.label(own, rectangles, index + 1); });
    for (const place of this.places.filter(own => own[0] === view.buffer)) {
      const [x, y] = [this.x(place[2]), this.y(place[5])];
      pen.strokeStyle = color.accent;
      pen.lineWidth = 2;
      pen.strokeRect(x, y, Math.max(this.x(place[3]) - x, 3), Math.max(this.y(place[4]) - y, 3));
      pen.lineWidth = 1;
    }
    this.canvas.dataset.drawn = rectangles.length;
    this.canvas.dataset.labels = this.labels.length;
  }

  /** A frame for each group of tiles, around the places that only the group has in this level. */
  drawFrames() {
    const { pen, color, view } = this;
    let drawn = 0;
    for (const group of view.fn.groups) {
      const inside = placesInside(this.places, group);
      if (inside.length === 0) continue;
      const low = inside.reduce((least, place) => Math.min(least, place[4]), Infinity);
      const high = inside.reduce((most, place) => Math.max(most, place[5]), 0);
      const [x, y] = [this.x(2 * group[1]), this.y(high)];
      const [width, height] = [Math.max(this.x(2 * group[2] + 2) - x, 3), Math.max(this.y(low) - y, 3)];
      pen.strokeStyle = color.frame;
      pen.lineWidth = 2;
      pen.setLineDash([6, 3]);
      pen.strokeRect(x, y, width, height);
      pen.setLineDash([]);
      pen.lineWidth = 1;
      this.frameTitle(`group ${group[0]}`, x, y, width, height);
      drawn++;
    }
    this.canvas.dataset.frames = drawn;
  }

  /** Writes the title of a frame into a corner in which there is no other text, if there is one. */
  frameTitle(title, x, y, width, height) {
    const { pen } = this;
    const length = pen.measureText(title).width;
    if (length > width - 8 || height < LINE + 6) return;
    for (const top of [y + 4, y + height - 4 - LINE]) {
      for (const left of [x + width - 4 - length, x + 4]) {
        const box = [left, top, left + length, top + LINE];
        if (this.labels.some(own => overlap(own, box))) continue;
        pen.textAlign = 'left';
        pen.textBaseline = 'top';
        pen.fillStyle = this.color.frame;
        pen.fillText(title, left, top);
        this.labels.push(box);
        return;
      }
    }
  }

  /** Writes a name where it has room: in the part of the place that is in view and that no later rectangle covers, as
   * results that are written in place cover a part of their operands. Names do not overlap, therefore. Where a place is too
   * narrow for its name, the name is turned. */
  label({ left, top, right, bottom, name, ink }, rectangles, next) {
    const { pen } = this;
    [left, right] = [Math.max(left, LEFT), Math.min(right, this.width - RIGHT)];
    [top, bottom] = [Math.max(top, MAP_TOP), Math.min(bottom, MAP_TOP + MAP)];
    if (right - left < LINE || bottom - top < LINE) return;
    const length = pen.measureText(name).width;
    const middle = (top + bottom) / 2;
    for (const [wide, high, isTurned] of [[length + 6, LINE, false], [LINE + 2, length + 6, true]]) {
      if (right - left < wide || bottom - top < high) continue;
      const [start, end] = uncovered([left, right], [middle - high / 2, middle + high / 2], rectangles, next);
      if (end - start < wide) continue;
      const x = isTurned ? (start + end) / 2 : start + Math.min(4, (end - start - length) / 2);
      pen.fillStyle = ink;
      pen.textAlign = isTurned ? 'center' : 'left';
      if (isTurned) this.turned(name, x, middle); else pen.fillText(name, x, middle);
      const [first, last] = isTurned ? [x - wide / 2, x + wide / 2] : [x, x + length];
      this.labels.push([first, middle - high / 2, last, middle + high / 2]);
      return;
    }
  }

  /** Writes text upwards, around a position. */
  turned(text, x, y) {
    this.pen.save();
    this.pen.translate(x, y);
    this.pen.rotate(-Math.PI / 2);
    this.pen.fillText(text, 0, 0);
    this.pen.restore();
  }

  /** Copies of the selected buffer, or without one those issued during the selected steps. */
  drawTransfers() {
    const { pen, color, view } = this;
    const own = view.transfersOfSelection(this.plan).filter(copy => copy.levels.includes(this.levelIndex));
    for (const copy of own) {
      const end = copy.levels[1] === this.levelIndex ? 1 : 0;
      const offset = copy.offsets[end] ?? this.bytes[0];
      const y = Math.min(this.y(offset + view.fn.buffers[copy.buffer].size / 2), MAP_TOP + MAP - 5);
      const [x, until] = [this.x(2 * copy.before), Math.max(this.x(2 * copy.until), this.x(2 * copy.before) + 2)];
      this.line(x, y, until, y, color.text, [3, 2]);
      pen.fillStyle = color.text;
      // The arrow points into the level that receives the bytes, and out of the one that sends them.
      const [tip, tail, at] = end === 1 ? [y, y - 7, until] : [y - 7, y, x];
      pen.beginPath();
      pen.moveTo(at, tip);
      pen.lineTo(at - 4, tail);
      pen.lineTo(at + 4, tail);
      pen.fill();
    }
    this.canvas.dataset.transfers = own.length;
  }

  drawSelectedSteps() {
    const { pen, color, view } = this;
    if (!view.steps) return;
    const [first, last] = view.steps;
    const x = this.x(2 * first);
    const width = Math.max(this.x(2 * last + 2) - x, 1);
    for (const [top, height] of [[TOP, CURVE], [MAP_TOP, MAP]]) {
      this.clipped(top, height, () => {
        pen.fillStyle = `${color.accent}30`;
        pen.fillRect(x, top, width, height);
        pen.strokeStyle = color.accent;
        pen.strokeRect(x + 0.5, top - 2, Math.max(width - 1, 0.5), height + 4);
      });
    }
  }
}
