// Text parts of the page: elements, the table of a step, the selected buffer, decisions, reasons.

/** Rows of a table that are shown before a button asks for the rest. */
const MOST_ROWS = 200;

/** An element. Text is never parsed as HTML: names come from programs. */
function element(tag, properties = {}, children = []) {
  const own = Object.assign(document.createElement(tag), properties);
  own.append(...children);
  return own;
}

/** A table. `columns`: [heading, whether it is a number, cell of a row: text or element]. */
function table(caption, columns, rows) {
  const head = columns.map(([name, isNumber]) =>
    element('th', { textContent: name, scope: 'col', className: isNumber ? 'number' : '' }));
  const body = element('tbody');
  const add = some => body.append(...some.map(row => element('tr', {}, columns.map(([, isNumber, cell]) =>
    element('td', { className: isNumber ? 'number' : '' }, [cell(row)])))));
  add(rows.slice(0, MOST_ROWS));
  const own = element('table', {}, [element('thead', {}, [element('tr', {}, head)]), body]);
  own.setAttribute('aria-label', caption);
  const parts = [element('div', { className: 'scroll' }, [own])];
  if (rows.length > MOST_ROWS) {
    const more = element('button', { type: 'button', textContent: `show ${rows.length - MOST_ROWS} more` });
    more.onclick = () => { add(rows.slice(MOST_ROWS)); more.remove(); };
    parts.push(more);
  }
  return element('div', {}, parts);
}

const bufferLink = (view, buffer) => {
  const textContent = view.fn.buffers[buffer].name;
  const own = element('button', { type: 'button', textContent, title: textContent });
  own.onclick = () => view.select({ buffer });
  return own;
};

const stepLink = (view, step) => {
  const textContent = `${step} ${nameOfStep(view.fn, step)}`;
  const own = element('button', { type: 'button', textContent, title: textContent });
  own.onclick = () => view.select({ steps: [step, step] });
  return own;
};

/** What is known about a buffer, as [term, text]. */
function aboutBuffer(view, plan, buffer) {
  const own = view.fn.buffers[buffer];
  const facts = [['size', `${human(own.size)} (${grouped(own.size)} bytes)`], ['role', own.role]];
  if (own.ty) facts.push(['type', textOf(own.ty)]);
  if (own.by !== null) facts.push(['written by', `${nameOfStep(view.fn, own.by)}, step ${own.by}`]);
  const places = plan.places.filter(place => place[0] === buffer);
  for (const place of places.slice(0, 4)) {
    const [first, last] = stepsOf(place);
    facts.push([`in ${plan.levels[place[1]].name}`,
      `steps ${first} to ${last}, bytes [${grouped(place[4])}, ${grouped(place[5])})`]);
  }
  if (places.length > 4) facts.push(['places', `${places.length - 4} more`]);
  if (own.at) facts.push(['location', textOf(own.at)]);
  return facts;
}

const list = facts => element('dl', {}, facts.flatMap(([term, text]) =>
  [element('dt', { textContent: term }), element('dd', { textContent: text })]));

/** Whether a copy reads or writes a buffer. */
const isOf = (copy, buffer) => copy.buffer === buffer || copy.target === buffer;

function showBuffer(view, section) {
  section.replaceChildren();
  if (view.buffer === null) return;
  const plan = view.fn.plans[view.plan];
  section.append(element('h2', { textContent: `Buffer ${view.fn.buffers[view.buffer].name}` }),
    list(aboutBuffer(view, plan, view.buffer)));
  const copies = plan.transfers.filter(copy => isOf(copy, view.buffer));
  if (copies.length === 0) return;
  const level = copy => copy.levels.map((id, end) =>
    `${plan.levels[id].name}${copy.offsets[end] === null ? ' (home)' : ''}`).join(' → ');
  section.append(element('h3', { textContent: 'Copies' }), table('Copies', [
    ['levels', false, level], ['issued before step', false, copy => stepLink(view, copy.before)],
    ['complete before step', false, copy => stepLink(view, copy.until)],
    ['cycles', true, copy => cycles(copy.cycles && copy.cycles[1] - copy.cycles[0])],
    ['engine', false, copy => copy.engine ?? ''],
  ], copies));
}

/** The sorted table of what is live during the selected steps, one for each level. */
function showStep(view, section) {
  section.replaceChildren();
  if (!view.steps) return;
  const [first, last] = view.steps;
  const plan = view.fn.plans[view.plan];
  const what = first === last ? `step ${first}, ${nameOfStep(view.fn, first)}` : `steps ${first} to ${last}`;
  section.append(element('h2', { textContent: `Live at ${what}: ${plan.title}` }));
  const at = first === last && textOf(view.fn.steps[first]?.[1] ?? 0);
  if (at) section.append(element('p', { className: 'facts', textContent: at }));
  if (first === last) section.append(...accesses(view, first));
  const live = liveDuring(plan, first, last);
  plan.levels.forEach((level, index) => {
    const rows = live.filter(place => place[1] === index);
    const sum = rows.reduce((all, place) => all + place[5] - place[4], 0);
    // Results that are written in place share the bytes of operands of the same step.
    const shared = first === last ? sum - bytesOf(rows) : 0;
    const inPlace = shared > 0 ? `, of which ${human(shared)} twice: results in place of operands` : '';
    const count = `${rows.length} ${rows.length === 1 ? 'buffer' : 'buffers'}`;
    section.append(element('h3', { textContent: `${level.name}: ${count}, ${human(sum)}${inPlace}` }));
    if (rows.length > 0) section.append(element('p', { className: 'facts', textContent: byRole(view, rows) }));
    if (rows.length > 0) section.append(liveTable(view, rows, sum));
  });
}

/** What a step reads and writes, as lists of links. */
function accesses(view, step) {
  const [, , reads, writes] = view.fn.steps[step] ?? [0, 0, [], []];
  return [['reads', reads], ['writes', writes]].filter(([, buffers]) => buffers.length > 0).map(([what, buffers]) =>
    element('p', { className: 'facts' }, [`${what} `,
      ...buffers.flatMap((buffer, index) => [index > 0 ? ', ' : '', bufferLink(view, buffer)])]));
}

/** The bytes of places by role, the largest first. */
function byRole(view, rows) {
  const bytes = new Map();
  for (const place of rows) {
    const { role } = view.fn.buffers[place[0]];
    bytes.set(role, (bytes.get(role) ?? 0) + place[5] - place[4]);
  }
  return [...bytes].sort((a, b) => b[1] - a[1]).map(([role, own]) => `${role} ${human(own)}`).join(' · ');
}

/** The buffers that a search has found, largest first. */
function showFound(view, section) {
  section.replaceChildren();
  if (view.query.trim() === '') return;
  const { buffers, plans } = view.fn;
  const found = buffers.map((_, index) => index).filter(index => view.isShown(index));
  found.sort((a, b) => buffers[b].size - buffers[a].size || a - b);
  if (found.length === 0) return;
  const places = new Map();
  for (const place of plans.at(-1).places) places.set(place[0], [...places.get(place[0]) ?? [], place]);
  const steps = index => {
    const own = (places.get(index) ?? []).map(stepsOf);
    return own.length === 0 ? '' : `${Math.min(...own.map(at => at[0]))} to ${Math.max(...own.map(at => at[1]))}`;
  };
  section.append(element('h2', { textContent: `Found: ${found.length}` }), table('Found buffers', [
    ['buffer', false, index => bufferLink(view, index)],
    ['size', true, index => human(buffers[index].size)],
    ['type', false, index => textOf(buffers[index].ty)],
    ['role', false, index => buffers[index].role],
    ['written by', false, index => buffers[index].by === null ? '' : stepLink(view, buffers[index].by)],
    ['steps', true, steps],
    ['location', false, index => textOf(buffers[index].at)],
  ], found));
}

function liveTable(view, rows, sum) {
  const of = place => view.fn.buffers[place[0]];
  return table('Live buffers', [
    ['buffer', false, place => bufferLink(view, place[0])],
    ['size', true, place => human(place[5] - place[4])],
    ['share', true, place => `${(100 * (place[5] - place[4]) / Math.max(sum, 1)).toFixed(1)} %`],
    ['type', false, place => textOf(of(place).ty)],
    ['role', false, place => of(place).role],
    ['written by', false, place => of(place).by === null ? '' : stepLink(view, of(place).by)],
    ['offset', true, place => grouped(place[4])],
    ['steps', true, place => stepsOf(place).join(' to ')],
    ['location', false, place => textOf(of(place).at)],
  ], rows);
}

/** The groups that run tile by tile: what they need, and which step needs most. */
function showGroups(view, section) {
  section.replaceChildren();
  const { groups, plans, steps } = view.fn;
  if (groups.length === 0) return;
  const plan = plans.at(-1);
  section.append(element('h2', { textContent: 'Groups of tiles' }));
  plan.levels.forEach((level, index) => {
    const places = plan.places.filter(place => place[1] === index);
    const most = fullest(places, 0, 2 * steps.length + 2);
    const highest = Math.min(Math.floor(most.point / 2), Math.max(steps.length - 1, 0));
    const around = groups.find(([, first, last]) => first <= highest && highest <= last);
    const rows = groups.map(group => {
      const inside = new Set(placesInside(places, group));
      const buffers = new Set([...inside].map(place => place[0])).size;
      const { point, bytes, live } = fullest(places, 2 * group[1], 2 * group[2] + 2);
      const inTiles = bytesOf(live.filter(place => inside.has(place)));
      return { group, buffers, bytes, inTiles, step: Math.floor(point / 2) };
    });
    section.append(element('h3', { textContent: level.name }), element('p', { className: 'facts' }, [
      `most bytes are live, ${human(most.bytes)}, at `, stepLink(view, highest),
      around ? `, in group ${around[0]}` : ', outside of groups']), table(`Groups in ${level.name}`, [
      ['group', true, row => `${row.group[0]}`],
      ['first step', false, row => stepLink(view, row.group[1])],
      ['last step', false, row => stepLink(view, row.group[2])],
      ['buffers of tiles', true, row => grouped(row.buffers)],
      ['most live', true, row => human(row.bytes)],
      ['of it tiles', true, row => human(row.inTiles)],
      ['at', false, row => stepLink(view, row.step)],
    ], rows));
  });
}

/** What tiles bought: what each operation of a group accesses and has live beside it, whole and in tiles. */
function showTiled(view, section) {
  section.replaceChildren();
  const { tiled, plans } = view.fn;
  if (tiled.length === 0) return;
  const plan = plans.at(-1);
  section.append(element('h2', { textContent: 'Operations in tiles' }));
  plan.levels.forEach((level, index) => {
    const places = plan.places.filter(place => place[1] === index);
    const live = tiled.map(([, steps]) => steps.reduce((most, step) => {
      const own = fullest(places, 2 * step, 2 * step + 2);
      return own.bytes > most.bytes ? { step, bytes: own.bytes } : most;
    }, { step: steps[0], bytes: 0 }));
    const rows = tiled.map((own, at) => ({ own, live: live[at] }));
    section.append(element('h3', { textContent: level.name }), table(`Operations in tiles in ${level.name}`, [
      ['group', true, row => `${row.own[0]}`],
      ['operation', false, row => stepLink(view, row.live.step)],
      ['written', true, row => grouped(row.own[1].length)],
      ['accessed whole', true, row => human(row.own[2])],
      ['accessed in a tile', true, row => human(row.own[4])],
      ['live whole', true, row => human(row.own[3])],
      ['live in tiles', true, row => human(row.live.bytes)],
    ], rows));
  });
}

/** A number of things: `1 swap`, `2 swaps`. */
const counted = (number, thing) => `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;

/** Cycles; nothing if there is no such way. */
const cycles = own => own === null ? '' : grouped(own);

function showDecisions(view, section) {
  section.replaceChildren();
  const { decisions, repeated } = view.fn;
  if (decisions.length === 0 && repeated.length === 0) return;
  const swaps = decisions.filter(own => own.way === 'swap').length;
  const cost = decisions.reduce((sum, own) => sum + own.overhead, 0);
  section.append(element('h2', { textContent: 'Swaps and repetitions' }), element('p', {
    className: 'facts',
    textContent: `${counted(swaps, 'swap')}, ${counted(decisions.length - swaps, 'recomputed tensor')}, `
      + `${counted(repeated.length, 'repeated step')}; together they cost ${grouped(cost)} cycles`,
  }), table('Swaps and repetitions', [
    ['buffer', false, own => bufferLink(view, own.buffer)],
    ['size', true, own => human(view.fn.buffers[own.buffer].size)],
    ['way', false, own => own.way],
    ['leaves after', false, own => stepLink(view, own.after)],
    ['back before', false, own => stepLink(view, own.before)],
    ['costs', true, own => grouped(own.overhead)],
    ['copy out', true, own => cycles(own.out)], ['copy back', true, own => cycles(own.back)],
    ['recompute', true, own => cycles(own.again)],
  ], [...decisions].sort((a, b) => b.overhead - a.overhead)));
}

function showReasons(view, section) {
  section.replaceChildren();
  if (view.fn.reasons.length === 0) return;
  section.append(element('h2', { textContent: 'What costs most' }));
  for (const group of view.fn.reasons) {
    section.append(element('h3', { textContent: group.title }));
    for (const kind of group.kinds) {
      const title = `${kind.title}: ${grouped(kind.cycles)} cycles`;
      const own = element('details', {}, [element('summary', { textContent: title })]);
      // Tables are built when they are opened: a page has thousands of rows.
      own.ontoggle = () => {
        if (own.children.length > 1) return;
        own.append(table(title, [
          ['buffer', false, row => bufferLink(view, row[0])],
          ['cycles', true, row => grouped(row[1])], ['steps', true, row => grouped(row[2])],
          ['worst step', false, row => stepLink(view, row[3])], ['why', false, row => row[4]],
        ], kind.tensors));
        if (kind.more > 0) own.append(element('p', { className: 'hint', textContent: `and ${kind.more} more` }));
      };
      section.append(own);
    }
  }
}
