// The page: what is selected and in view, events, and the address fragment.

class View {
  constructor() {
    this.colors = {};
    this.hidden = new Set();
    this.query = '';
    this.fn = null;
    this.charts = [];
    this.isDrawn = false;
  }

  /** Shows a function from its beginning, without a selection. */
  open(index) {
    this.index = index;
    this.fn = data.functions[index];
    Object.assign(this, { buffer: null, steps: null, plan: this.fn.plans.length - 1 });
    // On the axis of a plan that takes far more bytes, such as one allocation for each buffer, the plan itself
    // could not be seen.
    const compare = document.getElementById('compare');
    const [first, last] = [this.fn.plans[0], this.fn.plans.at(-1)];
    const isLike = (level, index) => level.peak <= 2 * last.levels[index].peak;
    compare.checked = this.fn.plans.length > 1 && first.levels.length > 1 && first.levels.every(isLike);
    document.getElementById('compare-label').hidden = this.fn.plans.length < 2;
    this.search(this.query);
    this.build();
    showGroups(this, document.getElementById('groups'));
    showTiled(this, document.getElementById('tiled'));
    showDecisions(this, document.getElementById('decisions'));
    showReasons(this, document.getElementById('reasons'));
  }

  get shownPlans() {
    const all = this.fn.plans.map((_, index) => index);
    return document.getElementById('compare').checked ? all : all.slice(-1);
  }

  /** Shows all steps, and of each level what the shown plans use of it. */
  showAll() {
    this.points = [0, 2 * this.fn.steps.length + 2];
    // Bytes of each level; its capacity, if that is not much larger than the peak.
    this.most = this.fn.plans[0].levels.map((_, index) => {
      const own = this.shownPlans.map(plan => this.fn.plans[plan].levels[index]);
      const used = Math.max(1, ...own.map(level => level.peak));
      const { capacity, home } = own[0];
      return capacity !== null && capacity - home >= used && capacity - home <= 2 * used ? capacity - home : used;
    });
    this.bytes = this.most.map(most => [0, most * 1.02]);
    this.redraw();
  }

  /** Creates the canvases of the shown plans. */
  build() {
    const main = document.getElementById('plans');
    main.replaceChildren();
    this.charts = [];
    // A level that a plan does not use has no diagram, unless the plan uses none.
    const usedBy = plan => plan.levels.filter(level => level.peak > 0).length;
    const diagrams = plan => usedBy(plan) || plan.levels.length;
    this.nDiagrams = this.shownPlans.reduce((sum, index) => sum + diagrams(this.fn.plans[index]), 0);
    for (const index of this.shownPlans) {
      const plan = this.fn.plans[index];
      const section = element('section', {}, [
        element('h2', { textContent: `@${this.fn.name}: ${plan.title}` }),
        element('p', { className: 'facts', textContent: plan.facts.join(' · ') })]);
      plan.levels.forEach((level, levelIndex) => {
        const title = levelTitle(level);
        if (level.peak === 0 && usedBy(plan) > 0) {
          section.append(element('h3', { textContent: `${level.name}: not used` }));
          return;
        }
        const canvas = element('canvas', { tabIndex: 0 });
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', `${plan.title}, ${title}. Arrow keys move, plus and minus zoom, `
          + 'brackets select a step, whose table follows the diagrams.');
        section.append(element('h3', { textContent: title }), canvas);
        const chart = new Chart(this, index, levelIndex, canvas);
        this.charts.push(chart);
        listen(this, chart);
      });
      main.append(section);
    }
    this.showAll();
  }

  search(query) {
    this.query = query;
    const matches = parseSearch(query, this.fn);
    this.shown = this.fn.buffers.map(own => !this.hidden.has(own.role) && matches(own));
    const found = this.shown.filter(is => is).length;
    const bytes = this.fn.buffers.reduce((sum, own, index) => sum + (this.shown[index] ? own.size : 0), 0);
    document.getElementById('found').textContent = `${found} of ${this.shown.length} buffers, ${human(bytes)}`;
    showFound(this, document.getElementById('matches'));
    this.redraw();
  }

  isShown(buffer) { return this.shown[buffer]; }

  transfersOfSelection(plan) {
    if (this.buffer !== null) return plan.transfers.filter(copy => isOf(copy, this.buffer));
    if (!this.steps) return [];
    const [first, last] = this.steps;
    return plan.transfers.filter(copy => copy.before <= last + 1 && copy.until >= first);
  }

  /** Changes the selection: `buffer`, `steps` and `plan`, those that are given. */
  select(change) {
    Object.assign(this, change);
    showBuffer(this, document.getElementById('buffer'));
    showStep(this, document.getElementById('step'));
    const parts = new URLSearchParams({ function: this.fn.name });
    if (this.plan !== this.fn.plans.length - 1) parts.set('plan', this.plan);
    if (this.buffer !== null) parts.set('buffer', this.fn.buffers[this.buffer].name);
    if (this.steps) parts.set('step', [...new Set(this.steps)].join('-'));
    history.replaceState(null, '', `#${parts}`);
    this.redraw();
  }

  /** Selects what the address names; unknown names are ignored. */
  follow(fragment) {
    const parts = new URLSearchParams(fragment.replace(/^#/, ''));
    const index = data.functions.findIndex(own => own.name === parts.get('function'));
    if (index >= 0 && index !== this.index) {
      document.getElementById('function').value = index;
      this.open(index);
    }
    const buffer = this.fn.buffers.findIndex(own => own.name === parts.get('buffer'));
    const last = this.fn.steps.length - 1;
    const steps = (parts.get('step') ?? '').split('-').map(Number).filter(step => step >= 0 && step <= last);
    const plan = Number(parts.get('plan') ?? this.fn.plans.length - 1);
    if (parts.get('plan') && !document.getElementById('compare').checked) {
      document.getElementById('compare').checked = true;
      this.build();
    }
    this.select({
      buffer: buffer < 0 ? null : buffer,
      steps: parts.get('step') && steps.length > 0 ? [steps[0], steps.at(-1)] : null,
      plan: this.fn.plans[plan] ? plan : this.fn.plans.length - 1,
    });
  }

  /** Zooms a range around a position in it by a factor, within sensible limits. */
  zoom(range, at, factor, most) {
    const width = Math.min(Math.max((range[1] - range[0]) * factor, 4), most);
    const start = at - (at - range[0]) / (range[1] - range[0]) * width;
    range[0] = Math.min(Math.max(start, 0), most - width);
    range[1] = range[0] + width;
    this.redraw();
  }

  move(range, by, most) {
    const width = range[1] - range[0];
    range[0] = Math.min(Math.max(range[0] + by, 0), Math.max(most - width, 0));
    range[1] = range[0] + width;
    this.redraw();
  }

  /** Draws before the next frame: many events become one drawing. */
  redraw() {
    if (this.isDrawn || this.charts.length === 0) return;
    this.isDrawn = true;
    requestAnimationFrame(() => { this.isDrawn = false; this.drawNow(); });
  }

  drawNow() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['back', 'text', 'dim', 'line', 'grid', 'accent', 'frame', 'peak', 'bound', 'curve', 'shade', ...ROLES]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    fitMap(this.nDiagrams, document.documentElement.classList.contains('paper'));
    this.charts.forEach(chart => chart.draw());
    // Tests wait for this, and read what is in view.
    document.body.dataset.diagrams = this.charts.length;
    document.body.dataset.points = this.points.map(point => Math.round(point)).join(' ');
  }
}

function levelTitle(level) {
  const capacity = level.capacity === null ? 'unbounded' : `capacity ${human(level.capacity)}`;
  const home = level.home > 0 ? `, ${human(level.home)} of arguments and constants` : '';
  return `${level.name}: peak ${human(level.peak)}, lower bound ${human(level.bound)}, ${capacity}${home}`;
}

/** The events of one canvas. */
function listen(view, chart) {
  const canvas = chart.canvas;
  const mostPoints = () => 2 * view.fn.steps.length + 2;
  const mostBytes = () => view.most[chart.levelIndex] * 1.02;
  let drag = null;
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    // With Shift, browsers report the vertical wheel as a horizontal one.
    const factor = 1.0015 ** (event.deltaY || event.deltaX);
    const isBytes = event.shiftKey || event.offsetX < LEFT;
    if (isBytes) view.zoom(chart.bytes, chart.byteAt(event.offsetY), factor, mostBytes());
    else view.zoom(view.points, chart.pointAt(event.offsetX), factor, mostPoints());
  }, { passive: false });
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    drag = { x: event.offsetX, y: event.offsetY, from: event.offsetX, moved: false, isCurve: event.offsetY < MAP_TOP };
  });
  canvas.addEventListener('pointermove', event => {
    const { offsetX: x, offsetY: y } = event;
    if (!drag) { showTip(view, chart, event); return; }
    drag.moved ||= Math.abs(x - drag.from) + Math.abs(y - drag.y) > 3;
    if (!drag.moved) return;
    if (drag.isCurve) {
      const steps = [chart.stepAt(drag.from), chart.stepAt(x)].sort((a, b) => a - b);
      Object.assign(view, { steps, plan: chart.planIndex });
      view.redraw();
    } else {
      view.move(view.points, chart.pointAt(drag.x) - chart.pointAt(x), mostPoints());
      view.move(chart.bytes, chart.byteAt(drag.y) - chart.byteAt(y), mostBytes());
      Object.assign(drag, { x, y });
    }
  });
  canvas.addEventListener('pointerup', event => {
    const ended = drag;
    drag = null;
    if (!ended || event.offsetX < LEFT) return;
    if (ended.moved) { if (ended.isCurve) view.select({}); return; }
    const step = chart.stepAt(event.offsetX);
    const place = chart.placeAt(event.offsetX, event.offsetY);
    view.select({ steps: [step, step], buffer: place ? place[0] : null, plan: chart.planIndex });
  });
  canvas.addEventListener('pointerleave', () => { document.getElementById('tip').hidden = true; });
  canvas.addEventListener('keydown', event => key(view, chart, event, mostPoints(), mostBytes()));
}

function key(view, chart, event, mostPoints, mostBytes) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const [points, bytes] = [view.points, chart.bytes];
  const [width, height] = [points[1] - points[0], bytes[1] - bytes[0]];
  const toStep = by => {
    const step = Math.min(Math.max((view.steps?.[0] ?? -by) + by, 0), view.fn.steps.length - 1);
    if (2 * step < points[0] || 2 * step + 2 > points[1]) view.move(points, 2 * step - (points[0] + points[1]) / 2, mostPoints);
    view.select({ steps: [step, step], plan: chart.planIndex });
  };
  const actions = {
    ArrowLeft: () => view.move(points, -width / 10, mostPoints),
    ArrowRight: () => view.move(points, width / 10, mostPoints),
    ArrowUp: () => view.move(bytes, height / 10, mostBytes),
    ArrowDown: () => view.move(bytes, -height / 10, mostBytes),
    '+': () => view.zoom(points, (points[0] + points[1]) / 2, 0.7, mostPoints),
    '-': () => view.zoom(points, (points[0] + points[1]) / 2, 1 / 0.7, mostPoints),
    '>': () => view.zoom(bytes, (bytes[0] + bytes[1]) / 2, 0.7, mostBytes),
    '<': () => view.zoom(bytes, (bytes[0] + bytes[1]) / 2, 1 / 0.7, mostBytes),
    '[': () => toStep(-1), ']': () => toStep(1), 0: () => view.showAll(),
    Escape: () => view.select({ buffer: null, steps: null }),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

/** The buffer below the pointer, beside the pointer. */
function showTip(view, chart, event) {
  const tip = document.getElementById('tip');
  const place = chart.placeAt(event.offsetX, event.offsetY);
  tip.hidden = !place && event.offsetY >= MAP_TOP || event.offsetX < LEFT;
  if (tip.hidden) return;
  const step = chart.stepAt(event.offsetX);
  const live = liveAt(chart.level.live, Math.floor(chart.pointAt(event.offsetX)));
  const name = place ? view.fn.buffers[place[0]].name : `step ${step}`;
  const facts = place ? aboutBuffer(view, chart.plan, place[0]) : [];
  facts.push(['here', `step ${step}, ${nameOfStep(view.fn, step)}: ${human(live)} live`]);
  tip.replaceChildren(element('strong', { textContent: name }), list(facts));
  const isRight = event.clientX > innerWidth / 2;
  tip.style.left = isRight ? '' : `${event.clientX + 14}px`;
  tip.style.right = isRight ? `${innerWidth - event.clientX + 14}px` : '';
  tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
}

function legend(view) {
  const group = document.getElementById('legend');
  const used = new Set(data.functions.flatMap(fn => fn.buffers.map(own => own.role)));
  for (const role of ROLES.filter(own => used.has(own))) {
    const box = element('input', { type: 'checkbox', checked: true });
    box.onchange = () => {
      view.hidden[box.checked ? 'delete' : 'add'](role);
      view.search(view.query);
    };
    const swatch = element('span', { className: 'swatch' });
    swatch.style.background = `var(--${role})`;
    group.append(element('label', {}, [box, swatch, role]));
  }
  for (const [color, name] of [['curve', 'live bytes'], ['peak', 'peak'], ['bound', 'lower bound']]) {
    const line = element('span', { className: 'line' });
    line.style.borderColor = `var(--${color})`;
    if (color === 'bound') line.style.borderTopStyle = 'dashed';
    group.append(element('label', {}, [line, name]));
  }
}

function start() {
  const view = new View();
  const pick = document.getElementById('function');
  pick.append(...data.functions.map((own, index) => element('option', { value: index, textContent: `@${own.name}` })));
  document.getElementById('pick').hidden = data.functions.length < 2;
  if (data.functions.length === 0) {
    document.getElementById('plans').textContent = 'No function has a plan.';
    document.body.dataset.diagrams = 0;
    return null;
  }
  legend(view);
  const longest = data.functions.reduce((best, own, index) =>
    own.steps.length > data.functions[best].steps.length ? index : best, 0);
  pick.value = longest;
  view.open(longest);
  pick.onchange = () => { view.open(Number(pick.value)); view.select({}); };
  document.getElementById('search').oninput = event => view.search(event.target.value);
  document.getElementById('compare').onchange = () => { view.plan = view.fn.plans.length - 1; view.build(); };
  document.getElementById('reset').onclick = () => view.showAll();
  matchMedia('(prefers-color-scheme: dark)').onchange = () => view.redraw();
  // Canvases keep their pixels: the drawing for paper has to be complete before the page is printed.
  const print = isPaper => {
    document.documentElement.classList.toggle('paper', isPaper);
    view.drawNow();
  };
  onbeforeprint = () => print(true);
  onafterprint = () => print(false);
  onresize = () => view.redraw();
  onhashchange = () => view.follow(location.hash);
  if (location.hash) view.follow(location.hash);
  view.drawNow();
  return view;
}

const view = start();
