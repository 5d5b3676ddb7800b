"use strict";
// All texts come from the testee: they are only ever set as textContent.
const data = JSON.parse(document.getElementById("data").textContent);
const rowHeight = 64, spare = 10; // rows drawn above and below what is seen
const $ = id => document.getElementById(id);
const state = { text: "", pkg: "", kind: "", ranks: new Set(data.ranks), shown: [], current: "" };

// make returns an element with properties, and children: elements or texts.
function make(tag, props, ...children) {
  const e = Object.assign(document.createElement(tag), props || {});
  for (const c of children) if (c !== null && c !== undefined) e.append(c);
  return e;
}

function rank(name) { return make("span", { className: "rank " + name }, name); }

// The text that is searched, made once for each crash.
for (const c of data.crashes) {
  c.haystack = [c.id, c.fingerprint, c.kind, c.func, c.pos, c.message, c.inputs, c.rank].join("\n").toLowerCase();
}
const byID = new Map(data.crashes.map(c => [c.id, c]));

function filter() {
  const words = state.text.toLowerCase().split(/\s+/).filter(w => w);
  state.shown = data.crashes.filter(c => state.ranks.has(c.rank) && (!state.pkg || c.package === state.pkg) &&
    (!state.kind || c.kind === state.kind) && words.every(w => c.haystack.includes(w)));
  $("space").style.height = state.shown.length * rowHeight + "px";
  $("list").scrollTop = 0;
  draw();
  const all = data.crashes.length, n = state.shown.length;
  $("summary").textContent = n === all ? data.summary : n + " of " + all + " crashes";
}

// draw draws the rows that are seen, and a few around them: ten thousand rows cost what thirty do.
function draw() {
  const list = $("list"), from = Math.max(0, Math.floor(list.scrollTop / rowHeight) - spare);
  const to = Math.min(state.shown.length, from + Math.ceil((list.clientHeight || 800) / rowHeight) + 2 * spare);
  $("rows").style.top = from * rowHeight + "px";
  $("rows").replaceChildren(...state.shown.slice(from, to).map((c, i) => {
    const li = make("li", { onclick: () => open(c.id) },
      make("div", { className: "first" }, rank(c.rank), c.kind + " in " + c.short),
      make("div", { className: "second" }, c.id + " · " + c.pos + " · " + c.message));
    li.setAttribute("aria-current", String(c.id === state.current));
    li.setAttribute("aria-posinset", String(from + i + 1));
    li.setAttribute("aria-setsize", String(state.shown.length));
    return li;
  }));
}

function open(id) { location.hash = id; }

// move opens the crash so many places below the current one.
function move(by) {
  if (!state.shown.length) return;
  const at = state.shown.findIndex(c => c.id === state.current);
  const to = Math.min(state.shown.length - 1, Math.max(0, at + by));
  const list = $("list"), top = to * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  open(state.shown[to].id);
}

// route shows what the address names: a crash, or the overview.
function route() {
  const c = byID.get(decodeURIComponent(location.hash.slice(1)));
  state.current = c ? c.id : "";
  document.body.classList.toggle("opened", Boolean(c));
  $("detail").replaceChildren(...(c ? detail(c) : overview()));
  $("detail").scrollTop = 0;
  draw();
}

function overview() {
  const counts = new Map();
  for (const c of data.crashes) {
    if (!counts.has(c.package)) counts.set(c.package, {});
    const n = counts.get(c.package);
    n[c.rank] = (n[c.rank] || 0) + 1;
  }
  const head = make("tr", {}, make("th", { scope: "col" }, "package"),
    ...data.ranks.map(r => make("th", { className: "n", scope: "col" }, r)));
  const rows = [...counts].sort((a, b) => a[0] < b[0] ? -1 : 1).map(([pkg, n]) => make("tr", {},
    make("td", {}, make("button", { onclick: () => { $("package").value = state.pkg = pkg; filter(); } }, pkg)),
    ...data.ranks.map(r => make("td", { className: "n" }, String(n[r] || "")))));
  const out = [make("h2", {}, "Overview"), make("p", {}, data.summary)];
  if (data.incomplete) out.push(make("p", {}, "The run was interrupted: there may be more crashes."));
  out.push(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  if (data.skipped.length) {
    out.push(make("h3", {}, data.skipped.length + " not tested"));
    out.push(make("ul", {}, ...data.skipped.slice(0, 200).map(s => make("li", {}, s.func + ": " + s.reason))));
  }
  out.push(make("p", { className: "notice" }, "Keys: / to search, j and k for the next and the previous crash, Escape for this page."));
  return out;
}

function detail(c) {
  const out = [make("button", { id: "back", onclick: () => open("") }, "All crashes"),
    make("h2", {}, c.kind + " in " + c.short), make("p", {}, rank(c.rank), c.message)];
  out.push(titled("Inputs", c.inputs), make("pre", {}, c.inputs));
  out.push(make("h3", {}, "The way to the panic"));
  for (const s of c.steps) {
    out.push(make("p", {}, make("code", {}, s.pos), " ", s.text), ...source(s.pos));
  }
  const list = (name, wanted) => {
    const of = c.signs.filter(wanted);
    if (of.length) out.push(make("h3", {}, name), make("ul", {}, ...of.map(s => make("li", {}, s.text))));
  };
  list("For a bug", s => s.weight > 0);
  list("Against a bug", s => s.weight <= 0);
  if (c.test.source) {
    out.push(titled("Test: " + c.test.file, c.test.source), make("pre", {}, c.test.source));
  }
  const known = data.kinds[c.kind];
  if (known) out.push(make("h3", {}, known.title), make("p", {}, known.text));
  const facts = make("dl", {});
  for (const [name, value] of [["id", c.id], ["fingerprint", c.fingerprint], ["function", c.func], ["position", c.pos],
    ["warning", c.warning], ["invariants", c.satisfies ? "the inputs satisfy what the tests show" : ""]]) {
    if (value) facts.append(make("dt", {}, name), make("dd", {}, value));
  }
  out.push(make("h3", {}, "Facts"), facts);
  return out;
}

// titled returns a heading with a button that copies a text.
function titled(title, text) {
  const button = make("button", { type: "button" }, "Copy");
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  return make("div", { className: "titled" }, make("h3", {}, title), button);
}

// source returns the lines around a position, the line itself marked.
function source(pos) {
  const parts = /^(.*?):(\d+)(?::\d+)?$/.exec(pos), lines = parts && data.sources[parts[1]];
  if (!lines) return [];
  const at = Number(parts[2]), rows = [];
  for (let n = at - 4; n <= at + 3; n++) {
    if (lines[n] === undefined) continue;
    rows.push(make("span", { className: n === at ? "row mark" : "row" },
      make("span", { className: "number" }, String(n)), lines[n] + "\n"));
  }
  return rows.length ? [make("pre", {}, ...rows)] : [];
}

function options(select, all, values) {
  select.append(make("option", { value: "" }, all), ...values.map(v => make("option", { value: v }, v)));
}

function start() {
  const unique = f => [...new Set(data.crashes.map(f))].sort();
  options($("package"), "all packages", unique(c => c.package));
  options($("kind"), "all kinds", unique(c => c.kind));
  for (const r of data.ranks) {
    const b = make("button", { className: r, type: "button" }, data.crashes.filter(c => c.rank === r).length + " " + r);
    b.setAttribute("aria-pressed", "true");
    b.onclick = () => {
      const on = !state.ranks.delete(r);
      if (on) state.ranks.add(r);
      b.setAttribute("aria-pressed", String(on));
      filter();
    };
    $("ranks").append(b);
  }
  let waiting;
  $("search").oninput = e => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { state.text = e.target.value; filter(); }, 60);
  };
  $("package").onchange = e => { state.pkg = e.target.value; filter(); };
  $("kind").onchange = e => { state.kind = e.target.value; filter(); };
  $("list").onscroll = () => requestAnimationFrame(draw);
  addEventListener("resize", draw);
  addEventListener("hashchange", route);
  addEventListener("keydown", e => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") { e.target.blur(); open(""); return; }
    if (typing) return;
    if (e.key === "/") { e.preventDefault(); $("search").focus(); }
    if (e.key === "j" || e.key === "ArrowDown" && e.target === $("list")) { e.preventDefault(); move(1); }
    if (e.key === "k" || e.key === "ArrowUp" && e.target === $("list")) { e.preventDefault(); move(-1); }
  });
  document.querySelector("main").hidden = $("tools").hidden = false;
  filter();
  route();
}
start();
