'use strict';
// The page of an execution: columns of threads, arrows, the source, and memory at each step. All that it shows is in the element
// `data`; html.cpp says what that is. Text from outside only ever becomes text nodes.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function button(text, className, press) {
  const element = make('button', className, text);
  element.type = 'button';
  element.addEventListener('click', press);
  return element;
}

// ---- Relations: what each arrow means. The keys 1, 2, ... switch them.
const relations = [
  {kind: 'rf', name: 'rf', title: 'reads-from: from a write to the reads that get its value', on: true},
  {kind: 'co', name: 'co', title: 'coherence: the order of the writes to one location', on: false},
  {kind: 'rb', name: 'rb', title: 'reads-before: from a read to the write that overwrites what it read', on: false},
  {kind: 'sw', name: 'sync', title: 'synchronisation: what is before the first end happens before what is after the other', on: true},
  {kind: 'thread', name: 'threads', title: 'the start and the end of threads', on: false},
  {kind: 'other', name: 'others', title: 'other relations of this execution', on: true},
].filter(relation => data.executions.some(execution => execution.edges.some(edge => edge.kind === relation.kind)));

// ---- What an execution means: happens-before, and what each thread may read at each step.
class Meaning {
  constructor(execution) {
    this.execution = execution;
    this.events = execution.trace;
    this.byNumber = new Map(this.events.map(event => [event.number, event]));
    this.writes = new Map();  // location -> its writes in coherence order
    this.initial = new Map();  // location -> the initial value, where some event has read it
    this.locks = new Set(this.events.filter(event => /lock$|^lock/.test(event.kind)).map(event => event.location));
    // What waits at a condition variable is no value, either.
    this.hidden = new Set(this.events.filter(event => ['wait', 'signal', 'broadcast'].includes(event.kind)).map(event => event.location));
    this.positions();
    this.clocks();
  }

  positions() {
    const after = new Map();
    for (const event of this.events) {
      if (event.from === 0) this.initial.set(event.location, event.oldValue ?? event.value);
      if (typeof event.coAfter === 'number') after.set(`${event.location} ${event.coAfter}`, event);
      if (event.location && (event.from !== undefined || event.coAfter !== undefined)) this.writes.set(event.location, []);
    }
    for (const [location, list] of this.writes) {
      for (let write = after.get(`${location} 0`); write && !list.includes(write); write = after.get(`${location} ${write.number}`)) {
        write.position = list.push(write);
      }
    }
  }

  // For each event how many events of each thread happen before it, itself included; until nothing changes, as a read may stand
  // above the write that it reads from.
  clocks() {
    const into = new Map();
    for (const edge of this.execution.edges) {
      if (edge.kind !== 'sw' && edge.kind !== 'thread') continue;
      if (!into.has(edge.to)) into.set(edge.to, []);
      into.get(edge.to).push(edge.from);
    }
    const count = this.execution.threads.length, seen = new Array(count).fill(0);
    for (const event of this.events) event.index = ++seen[event.thread];
    for (let changed = true; changed;) {
      changed = false;
      const last = new Array(count).fill(null);
      for (const event of this.events) {
        const clock = last[event.thread] ? last[event.thread].clock.slice() : new Array(count).fill(0);
        clock[event.thread] = event.index;
        for (const number of into.get(event.number) ?? []) {
          const other = this.byNumber.get(number).clock;
          if (other) other.forEach((n, thread) => { clock[thread] = Math.max(clock[thread], n); });
        }
        if (!event.clock || clock.some((n, thread) => n > event.clock[thread])) {
          event.clock = clock;
          changed = true;
        }
        last[event.thread] = event;
      }
    }
  }

  // Who holds a lock. Its values mean nothing to a person.
  follow(event, holders) {
    const now = holders.get(event.location) ?? new Set();
    holders.set(event.location, now);
    if (event.kind === 'unlock') now.delete(event.thread);
    else if (event.kind.includes('lock') && event.success !== false && event.kind !== 'begin to lock') now.add(event.thread);
  }

  holdersText(threads) {
    return threads?.size ? `held by ${[...threads].map(thread => this.execution.threads[thread]).join(', ')}` : 'free';
  }

  // The place in coherence order of what an event writes or reads; 0 is the initial value.
  seenBy(event) {
    if (event.position !== undefined) return event.position;
    return event.from ? this.byNumber.get(event.from)?.position ?? 0 : 0;
  }

  // After `steps` events: for each location its last value, and for each thread what coherence lets it read still.
  memory(steps) {
    const done = this.events.slice(0, steps);
    const clocks = this.execution.threads.map((_, thread) => done.findLast(event => event.thread === thread)?.clock);
    const rows = new Map(), holders = new Map();
    for (const event of done) {
      if (!this.writes.has(event.location) || this.hidden.has(event.location)) continue;
      if (this.locks.has(event.location)) {
        rows.set(event.location, {lock: true});
        this.follow(event, holders);
        continue;
      }
      if (!rows.has(event.location)) rows.set(event.location, {last: 0, floors: clocks.map(() => 0), happened: new Set([0])});
      const row = rows.get(event.location), place = this.seenBy(event);
      if (event.position !== undefined) {
        row.happened.add(place);
        row.last = Math.max(row.last, place);
      }
      clocks.forEach((clock, thread) => {
        if (clock && clock[event.thread] >= event.index) row.floors[thread] = Math.max(row.floors[thread], place);
      });
    }
    return [...rows].map(([location, row]) => row.lock ? {location, last: this.holdersText(holders.get(location)), threads: null} : ({
      location,
      last: this.valueAt(location, row.last),
      threads: row.floors.map((floor, thread) => clocks[thread] === undefined ? null :
        [...row.happened].filter(place => place >= floor).sort((a, b) => a - b)
          .map(place => ({value: this.valueAt(location, place), old: place < row.last}))),
    }));
  }

  valueAt(location, place) {
    const value = place === 0 ? this.initial.get(location) : this.writes.get(location)[place - 1].value;
    return value ?? (place === 0 ? 'initial' : `event ${this.writes.get(location)[place - 1].number}`);
  }

  // Why no interleaving in the order of the page explains this event; empty if it does.
  surprise(event) {
    if (event.note) return event.note;
    if (typeof event.from !== 'number') return '';
    if (event.from > event.number) return `reads what event ${event.from} stores later`;
    const mine = event.from === 0 ? 0 : this.byNumber.get(event.from)?.position;
    if (mine === undefined) return '';
    const newer = (this.writes.get(event.location) ?? []).filter(write => write.position > mine && write.number < event.number);
    if (newer.length === 0) return '';
    const write = newer[newer.length - 1];
    return `although event ${write.number} stored ${write.value ?? 'to it'}`;
  }
}

const meanings = data.executions.map(execution => new Meaning(execution));

// ---- One execution in columns.
const tints = ['#7a8494', '#1a5fb4', '#c2410c', '#1b7f3b', '#7b2d8b', '#9a5b13', '#0e7c86', '#b3261e'];

class Pane {
  constructor(index) {
    this.index = index;
    this.meaning = meanings[index];
    this.execution = this.meaning.execution;
    this.steps = this.execution.trace.length + (this.execution.error ? 1 : 0);
    this.element = make('div', 'pane');
    if (panes.length > 0 || data.executions.length > 1) this.element.append(make('h2', '', this.execution.title));
    this.graph = make('div', 'graph');
    this.rows = make('div', 'rows');
    this.graph.append(this.rows);
    this.element.append(this.graph);
    this.boxes = new Map();
    this.addRows();
  }

  addRows() {
    const used = this.usedThreads();
    const column = new Map(used.map((thread, i) => [thread, i + 1]));
    this.rows.style.gridTemplateColumns = `repeat(${used.length}, minmax(11rem, 1fr))`;
    for (const thread of used) {
      const head = make('div', 'thread', this.execution.threads[thread]);
      head.style.gridColumn = column.get(thread);
      head.style.gridRow = 1;
      this.rows.append(head);
    }
    const error = this.execution.error;
    const related = (error?.related ?? []).filter(place => place.what !== 'allocation');  // when that was does not matter
    let row = 1;
    const addRelated = number => {
      for (const place of related.filter(place => place.before === number)) this.add(this.relatedBox(place), column.get(place.thread), ++row, place.thread);
    };
    for (const event of this.execution.trace) {
      addRelated(event.number);
      this.add(this.box(event), column.get(event.thread), ++row, event.thread);
    }
    addRelated(0);
    if (!error) return;
    const box = make('div', 'event error');
    box.append(make('span', 'of', `${this.execution.threads[error.thread]}: `), this.execution.errorLine);
    box.append(make('span', 'place', error.file ? `${error.file}:${error.line ?? ''}` : ''));
    box.addEventListener('click', () => goTo(this.steps));
    this.errorBox = box;
    this.add(box, column.get(error.thread), ++row, error.thread);
  }

  // What has a part in the error and is no event: the other access of a race, an allocation, a free.
  relatedBox(place) {
    const box = make('div', 'event involved related');
    box.append(make('span', 'of', `${this.execution.threads[place.thread]}: `), place.what);
    if (place.text) box.append(make('span', 'code', place.text));
    if (place.file) box.append(make('span', 'place', `${place.file.split('/').pop()}:${place.line ?? ''}`));
    box.title = place.text ?? '';
    return box;
  }

  usedThreads() {
    const used = new Set(this.execution.trace.map(event => event.thread));
    for (const place of this.execution.error ? [this.execution.error, ...this.execution.error.related] : []) used.add(place.thread);
    return [...used].sort((a, b) => a - b);
  }

  add(box, column, row, thread) {
    box.style.gridColumn = column;
    box.style.gridRow = row;
    box.style.setProperty('--tint', tints[thread % tints.length]);
    this.rows.append(box);
  }

  box(event) {
    const box = make('div', 'event');
    box.tabIndex = -1;
    box.append(make('span', 'number', `${event.number} `), make('span', 'of', `${this.execution.threads[event.thread]}: `), event.action);
    if (typeof event.from === 'number') {
      const from = make('span', 'of from');
      from.append(event.from === 0 ? ' initial value' : ' from ', ...(event.from === 0 ? [] : [numberLink(event.from, this)]));
      box.append(from);
    }
    if (event.persisted !== undefined) box.append(make('span', 'fate', event.persisted ? '  persisted' : '  lost'));
    const surprise = this.meaning.surprise(event);
    if (surprise) box.append(make('span', 'note', surprise));
    if (event.file) box.append(make('span', 'place', `${event.file.split('/').pop()}:${event.line ?? ''}`));
    box.title = this.tellOf(event);
    if (!event.relevant) box.classList.add('irrelevant');
    if (event.involved) box.classList.add('involved');
    if (surprise) box.classList.add('weak');
    box.addEventListener('click', () => goTo(this.execution.trace.indexOf(event) + 1, this));
    this.boxes.set(event.number, box);
    return box;
  }

  tellOf(event) {
    const parts = [event.text ?? ''];
    if (typeof event.from === 'number') parts.push(event.from === 0 ? 'reads the initial value' : `reads from event ${event.from}`);
    if (event.function) parts.push(`in ${event.function}`);
    if (!event.relevant) parts.push('has no part in the error');
    return parts.filter(part => part).join('\n');
  }

  show(step) {
    this.step = Math.min(step, this.steps);
    this.execution.trace.forEach((event, i) => {
      const box = this.boxes.get(event.number);
      box.classList.toggle('later', i >= this.step);
      box.classList.toggle('here', i === this.step - 1);
    });
    this.errorBox?.classList.toggle('later', this.step < this.steps);
    this.errorBox?.classList.toggle('here', this.step === this.steps);
    this.heat();
  }

  here() { return this.execution.trace[this.step - 1]; }

  // Arrows of the relations that are switched on. Measured first and drawn then, so that the layout is asked once.
  draw() {
    this.svg?.remove();
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.classList.add('arrows');
    svg.innerHTML = relations.map(({kind}) => `<marker id="tip-${this.index}-${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" ` +
      `markerHeight="7" orient="auto-start-reverse"><path class="${edgeClass(kind)}" d="M0 0L8 4L0 8z" style="fill:var(--edge);stroke:none;opacity:1"/></marker>`).join('');
    const place = new Map();
    for (const [number, box] of this.boxes) {
      if (box.offsetParent) place.set(number, {x: box.offsetLeft, y: box.offsetTop, w: box.offsetWidth, h: box.offsetHeight});
    }
    const on = new Set(relations.filter(relation => relation.on).map(relation => relation.kind));
    const ends = new Map();  // how many arrows end at a box so far: they are spread over its height
    for (const edge of this.execution.edges) {
      const from = place.get(edge.from), to = place.get(edge.to);
      if (!on.has(edge.kind) || !from || !to) continue;
      const n = ends.get(edge.to) ?? 0;
      ends.set(edge.to, n + 1);
      const path = document.createElementNS(svg.namespaceURI, 'path');
      path.setAttribute('d', curve(from, to, n));
      path.setAttribute('class', edgeClass(edge.kind));
      path.setAttribute('marker-end', `url(#tip-${this.index}-${edge.kind})`);
      path.edge = edge;
      svg.append(path);
      if (!edge.name) continue;
      const label = document.createElementNS(svg.namespaceURI, 'text');
      label.setAttribute('class', edgeClass(edge.kind));
      label.setAttribute('x', (from.x + to.x + (from.w + to.w) / 2) / 2);
      label.setAttribute('y', (from.y + from.h / 2 + to.y + to.h / 2) / 2);
      label.textContent = edge.name;
      svg.append(label);
    }
    this.svg = svg;
    this.graph.append(svg);
    this.heat();
  }

  // The arrows at the event of this step stand out; those of what has not happened yet do not.
  heat() {
    const number = this.here()?.number;
    const done = new Set(this.execution.trace.slice(0, this.step).map(event => event.number));
    for (const path of this.svg?.querySelectorAll('path') ?? []) {
      if (!path.edge) continue;
      path.classList.toggle('hot', path.edge.from === number || path.edge.to === number);
      path.classList.toggle('dim', !done.has(path.edge.from) || !done.has(path.edge.to));
    }
  }
}

function edgeClass(kind) { return kind === 'thread' ? 'thread-edge' : kind; }

function curve(from, to, n) {
  const y1 = from.y + from.h / 2, y2 = to.y + Math.min(to.h - 4, 7 + 6 * n);
  if (from.x === to.x) {  // the same column: an arc at its right side
    const x1 = from.x + from.w, x2 = to.x + to.w, bend = Math.min(38, 14 + Math.abs(y2 - y1) / 14 + 4 * n);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}`;
  }
  const right = to.x > from.x;
  const x1 = right ? from.x + from.w : from.x, x2 = right ? to.x : to.x + to.w, bend = (right ? 1 : -1) * Math.max(24, Math.abs(x2 - x1) / 2.2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

// ---- The source.
const shownFile = {name: '', lines: new Map()};

function placesOf(execution) {
  const error = execution.error;
  const sites = error ? [error, ...(error.callers ?? []), ...(error.related ?? [])] : [];
  return [...execution.trace, ...sites].filter(place => place.file && data.sources[place.file] !== undefined);
}

function showFiles(execution, file) {
  const names = [...new Set(placesOf(execution).map(place => place.file))];
  byId('source').hidden = names.length === 0;
  if (!names.includes(file)) file = names[0] ?? '';
  byId('files').replaceChildren(...names.map(name => {
    const tab = button(name.split('/').pop(), '', () => showFiles(panes[0].execution, name));
    tab.title = name;
    tab.role = 'tab';
    tab.setAttribute('aria-selected', name === file);
    return tab;
  }));
  if (shownFile.name === file && shownFile.execution === execution) return;
  Object.assign(shownFile, {name: file, execution, lines: new Map()});
  const code = byId('code');
  code.replaceChildren();
  const events = new Map();
  for (const event of execution.trace) {
    if (event.file !== file || !event.line) continue;
    if (!events.has(event.line)) events.set(event.line, []);
    events.get(event.line).push(event);
  }
  (data.sources[file] ?? '').split('\n').forEach((text, i) => {
    const line = make('div', events.has(i + 1) ? 'has' : '');
    line.append(make('span', 'n', i + 1), make('span', '', text));
    const here = events.get(i + 1) ?? [];
    if (here.length > 0) {
      const chips = make('span', 'chips');
      for (const event of here.slice(0, 12)) {
        const chip = button(event.number, 'chip', () => goTo(execution.trace.indexOf(event) + 1));
        chip.title = `${execution.threads[event.thread]}: ${event.action}`;
        chips.append(chip, ' ');
      }
      if (here.length > 12) chips.append(make('span', 'chip', `and ${here.length - 12} more`));
      line.classList.add('with-chips');
      line.append(chips);
    }
    shownFile.lines.set(i + 1, line);
    code.append(line);
  });
}

function showSource(pane) {
  const execution = pane.execution, atError = pane.step === pane.steps && execution.error;
  const place = atError ? execution.error : pane.here();
  showFiles(execution, place?.file ?? shownFile.name);
  for (const line of shownFile.lines.values()) line.classList.remove('here', 'bad');
  for (const chip of byId('code').querySelectorAll('.chip')) chip.classList.toggle('here', chip.textContent === String(pane.here()?.number));
  const line = place && place.file === shownFile.name ? shownFile.lines.get(place.line) : undefined;
  if (!line) return;
  line.classList.add(atError ? 'bad' : 'here');
  const code = byId('code');
  code.scrollTop = line.offsetTop - code.offsetTop - code.clientHeight / 2;
}

// ---- Memory.
function showMemory(pane) {
  const steps = Math.min(pane.step, pane.execution.trace.length);
  const rows = pane.meaning.memory(steps);
  const section = byId('memory');
  section.replaceChildren(make('h2', '', `Memory after ${steps} ${steps === 1 ? 'event' : 'events'}`));
  if (rows.length === 0) return section.append(make('p', '', 'Nothing has been read or written yet.'));
  const used = pane.usedThreads();
  const table = make('table'), head = make('tr');
  head.append(make('th', '', 'location'), make('th', '', 'last write'));
  for (const thread of used) head.append(make('th', '', pane.execution.threads[thread]));
  table.append(head);
  for (const row of rows) {
    const line = make('tr');
    const last = make('td', '', row.last);
    if (!row.threads) last.colSpan = used.length + 1;
    line.append(make('td', '', row.location), last);
    for (const thread of row.threads ? used : []) {
      const cell = make('td'), values = row.threads[thread];
      (values ?? []).forEach((entry, i) => cell.append(i > 0 ? ' or ' : '', make('span', entry.old ? 'old' : '', entry.value)));
      line.append(cell);
    }
    table.append(line);
  }
  section.append(table, make('p', '', 'For each thread: the values that coherence and happens-before (of C++) leave for its next read. ' +
    'A model may allow fewer. Orange: overwritten already.'));
}

// ---- Stepping.

// Scrolls to a box. `scrolls`: the page, too, where the columns do not scroll by themselves.
function reveal(box, pane, scrolls) {
  const view = pane.element, isOwn = getComputedStyle(view).overflowY === 'auto';
  if (!isOwn) {
    if (scrolls) box.scrollIntoView({block: 'nearest', inline: 'nearest'});
    return;
  }
  const head = view.querySelector('.thread')?.offsetHeight ?? 0, air = 12;
  const seen = view.getBoundingClientRect(), place = box.getBoundingClientRect();
  const bottom = Math.min(seen.bottom, innerHeight);
  if (place.top < seen.top + head + air) view.scrollTop += place.top - seen.top - head - air;
  else if (place.bottom > bottom - air) view.scrollTop += place.bottom - bottom + air;
  if (place.left < seen.left || place.right > seen.right) box.scrollIntoView({block: 'nearest', inline: 'nearest'});
}

// The number of an event, as a link to it.
function numberLink(number, pane) {
  const link = button(String(number), 'to-event', press => {
    press.stopPropagation();
    goTo(pane.execution.trace.findIndex(event => event.number === number) + 1, pane);
  });
  link.title = pane.execution.trace.find(event => event.number === number)?.action ?? '';
  return link;
}

// ---- Why: paragraphs and lists, numbers of events as links, and the cycle drawn as one.
const linkWords = {po: 'is followed in its thread by', rf: 'is read by', co: 'is overwritten by', rb: 'reads what is overwritten by'};

function withLinks(element, text, pane) {
  for (const piece of text.split(/(\bevents? \d+(?:, \d+)*(?: and \d+)?)/)) {
    const words = /^events? \d/.test(piece) ? piece.split(/(\d+)/) : [piece];
    element.append(...words.map(word => /^\d+$/.test(word) && words.length > 1 ? numberLink(Number(word), pane) : word));
  }
  return element;
}

function cycleList(cycle, pane) {
  const list = make('ol', 'cycle');
  cycle.forEach((step, i) => {
    const item = make('li', `link-${step.link}`), event = pane.execution.trace.find(other => other.number === step.event);
    item.append(numberLink(step.event, pane), ' ', make('code', '', event?.action ?? ''));
    if (event?.file) item.append(make('span', 'place', ` ${event.file.split('/').pop()}:${event.line ?? ''}`));
    const last = i + 1 === cycle.length;
    item.append(make('span', 'link', `${last ? '\u21b0' : '\u2193'} ${linkWords[step.link]}${last ? ' the first' : ''}`));
    list.append(item);
  });
  return list;
}

function whyOf(pane, isOneOfSeveral) {
  const why = pane.execution.why;
  if (!why) return [];
  const parts = [];
  if (isOneOfSeveral) parts.push(make('h2', '', pane.execution.title));
  let list = null, drawn = false;
  for (const line of why.text.split('\n')) {
    const text = line.trim().replace('the one above', 'the one below');
    if (!text) continue;
    const isDeep = line.startsWith('    ');
    if (isDeep && text.startsWith('- ')) {
      if (!list) parts.push(list = make('ul'));
      list.append(withLinks(make('li'), text.slice(2), pane));
    } else if (isDeep && why.cycle.length > 0) {
      if (!drawn) parts.push(cycleList(why.cycle, pane));
      drawn = true;
    } else {
      list = null;
      parts.push(withLinks(make('p'), text, pane));
    }
  }
  return parts;
}
const panes = [];

function goTo(step, pane = panes[0], scrolls = true) {
  const most = Math.max(...panes.map(other => other.steps));
  const wanted = Math.max(0, Math.min(step, most));
  for (const other of panes) other.show(wanted);
  byId('step').textContent = `${Math.min(wanted, pane.steps)} of ${pane.steps}`;
  showSource(pane);
  showMemory(pane);
  const box = pane.step === pane.steps && pane.errorBox ? pane.errorBox : pane.boxes.get(pane.here()?.number);
  if (box) reveal(box, pane, scrolls);
  const hash = data.executions.length > 1 ? `#${panes.map(other => other.index).join('+')}:${wanted}` : `#${wanted}`;
  try { history.replaceState(null, '', hash); } catch { /* a page in a sandbox has no history */ }
}

// Steps over events that are hidden.
function move(by) {
  const pane = panes[0], hides = document.body.classList.contains('hide-irrelevant');
  let step = pane.step + by;
  while (hides && step > 0 && step <= pane.execution.trace.length && !pane.execution.trace[step - 1].relevant) step += by;
  goTo(step);
}

function drawAll() { for (const pane of panes) pane.draw(); }

// What it is an execution of. The error is told below it.
function headingOf(execution) {
  if (new Set(data.executions.map(other => other.subject)).size === 1 && data.executions.length > 1) return execution.subject;
  if (!execution.errorLine && data.executions.length === 1) return execution.title;
  return execution.model ? `${execution.subject} under ${execution.model}` : execution.subject || execution.title;
}

// Shows one execution, or two beside each other.
function show(indices, step) {
  panes.length = 0;
  for (const index of indices) panes.push(new Pane(index));
  byId('panes').replaceChildren(...panes.map(pane => pane.element));
  const execution = panes[0].execution;
  document.title = execution.title;
  byId('title').textContent = headingOf(execution);
  byId('error').textContent = execution.errorLine ?? '';
  byId('why').replaceChildren(...panes.flatMap(pane => whyOf(pane, panes.length > 1)));
  byId('irrelevant-label').hidden = panes.every(pane => pane.execution.trace.every(event => event.relevant));
  for (const cell of document.querySelectorAll('#states button')) cell.classList.toggle('shown', indices.includes(Number(cell.dataset.index)));
  goTo(step ?? panes[0].steps, panes[0], step !== undefined);
  drawAll();
}

// ---- Several executions: a table of what each is one of.
function addStates() {
  if (data.executions.length < 2) return;
  const section = byId('states'), table = make('table'), head = make('tr');
  section.hidden = false;
  const columns = [...new Set(data.executions.map(execution => execution.model))];
  const key = execution => `${execution.subject}\n${execution.state}`;
  const rows = [...new Set(data.executions.map(key))];
  head.append(make('th', '', 'execution'), ...columns.map(name => make('th', '', name || 'shown')));
  table.append(head);
  for (const row of rows) {
    const line = make('tr'), [subject, state] = row.split('\n');
    line.append(make('td', '', state ? `${subject}: ${state}` : subject));
    for (const column of columns) {
      const index = data.executions.findIndex(execution => execution.model === column && key(execution) === row);
      const cell = make('td', index < 0 ? 'never' : '', index < 0 ? 'never' : '');
      if (index >= 0) {
        const choose = button('show', '', press => choosePane(index, press.shiftKey));
        choose.dataset.index = index;
        choose.title = 'Show it. With shift: beside the one that is shown';
        cell.append(choose);
        if (columns.length > 1 || rows.length > 1) {
          const beside = button('beside', '', () => choosePane(index, true));
          beside.title = 'Show it beside the one that is shown';
          cell.append(' ', beside);
        }
      }
      line.append(cell);
    }
    table.append(line);
  }
  section.append(table);
}

function choosePane(index, beside) {
  const first = panes[0].index;
  show(beside && index !== first ? [first, index] : [index]);
}

// ---- Searching.
let found = [], at = -1;

function search(text) {
  for (const box of document.querySelectorAll('.event.found')) box.classList.remove('found');
  const wanted = text.trim().toLowerCase();
  const fits = event => `${event.number} ${event.action} ${event.file ?? ''}:${event.line ?? ''} ${event.function ?? ''} ${event.text ?? ''}`.toLowerCase().includes(wanted);
  found = wanted ? panes[0].execution.trace.filter(fits) : [];
  at = -1;
  for (const event of found) panes[0].boxes.get(event.number).classList.add('found');
  byId('search').title = wanted ? `${found.length} found; Enter goes to the next` : '';
}

function nextFound() {
  if (found.length === 0) return;
  at = (at + 1) % found.length;
  goTo(panes[0].execution.trace.indexOf(found[at]) + 1);
}

// ---- Light and dark: as the system has it, until the reader chooses.
const darkness = matchMedia('(prefers-color-scheme: dark)');
const followSystem = change => setTheme(change.matches);

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

function addControls() {
  relations.forEach((relation, i) => {
    const label = make('label', edgeClass(relation.kind)), box = make('input');
    box.type = 'checkbox';
    box.checked = relation.on;
    box.addEventListener('change', () => { relation.on = box.checked; drawAll(); });
    relation.box = box;
    label.title = `${relation.title} (key ${i + 1})`;
    label.append(box, relation.name);
    byId('relations').append(label);
  });
  byId('first').addEventListener('click', () => goTo(0));
  byId('back').addEventListener('click', () => move(-1));
  byId('forward').addEventListener('click', () => move(1));
  byId('last').addEventListener('click', () => goTo(Infinity));
  byId('irrelevant').addEventListener('change', press => {
    document.body.classList.toggle('hide-irrelevant', !press.target.checked);
    drawAll();
  });
  byId('search').addEventListener('input', press => search(press.target.value));
  byId('search').addEventListener('keydown', press => {
    if (press.key === 'Enter') nextFound();
    if (press.key === 'Escape') press.target.blur();
  });
  byId('theme').addEventListener('click', () => {
    darkness.removeEventListener('change', followSystem);
    setTheme(document.documentElement.dataset.theme !== 'dark');
  });
  darkness.addEventListener('change', followSystem);
  const keys = {ArrowRight: () => move(1), ArrowDown: () => move(1), j: () => move(1), ArrowLeft: () => move(-1), ArrowUp: () => move(-1),
    k: () => move(-1), Home: () => goTo(0), End: () => goTo(Infinity), '/': () => byId('search').focus()};
  addEventListener('keydown', press => {
    if (press.target.tagName === 'INPUT' && press.target.type === 'search') return;
    if (press.ctrlKey || press.metaKey || press.altKey) return;
    const relation = relations[Number(press.key) - 1];
    if (relation) relation.box.click();
    else if (keys[press.key]) keys[press.key]();
    else return;
    press.preventDefault();
  });
  let waiting = 0;
  addEventListener('resize', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(drawAll);
  });
}

function begin() {
  setTheme(darkness.matches);
  addControls();
  addStates();
  if (data.executions.length === 0) {
    byId('title').textContent = data.title;
    return;
  }
  // What has no part in the error is not shown at first.
  if (data.executions.some(execution => execution.error)) {
    byId('irrelevant').checked = false;
    document.body.classList.add('hide-irrelevant');
  }
  const [, chosen, step] = location.hash.match(/^#(?:([\d+]+):)?(\d+)$/) ?? [];
  const indices = (chosen ?? '0').split('+').map(Number).filter(index => index < data.executions.length);
  show(indices.length > 0 ? indices : [0], step === undefined ? undefined : Number(step));
}

begin();
