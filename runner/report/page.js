// The report's behaviour: sorts tables, lists the runs, opens a run's reader. Every text of the data goes into the page
// as text, never as HTML; characters that steer a terminal or the writing direction are shown by their number.
"use strict";
(() => {
  const rows_on_page = 50;
  const metrics = ["Sycophancy", "Leak", "Upgrade", "Amplification", "Persistence", "Escalation"];
  // The order in which report/run_row writes a line; the page adds chunk and index of the story.
  const fields = ["run", "attempt", "task", "model", "framework", "arm", "family", "scenario", "delivery", "domain",
    "destination", "state", "failed", "rate", "stance", "claim", "chunk", "index"];
  const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

  // ---- elements

  function visible(text) {
    const parts = document.createDocumentFragment();
    let plain = "";
    for (const character of String(text)) {
      if (!steering.test(character)) {
        plain += character;
        continue;
      }
      parts.append(plain);
      plain = "";
      const shown = document.createElement("span");
      shown.className = "control";
      shown.textContent = "\\u{" + character.codePointAt(0).toString(16).toUpperCase() + "}";
      parts.append(shown);
    }
    parts.append(plain);
    return parts;
  }

  // An element with a class, attributes and children; strings are untrusted text.
  function make(name, css, ...children) {
    const element = document.createElement(name);
    if (css) element.className = css;
    for (const child of children.flat(Infinity)) {
      if (child instanceof Node) element.append(child);
      else if (child !== null && child !== undefined && child !== "") element.append(visible(child));
    }
    return element;
  }

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function button(text, action) {
    const element = set(make("button", "", text), {type: "button"});
    element.addEventListener("click", action);
    return element;
  }

  const whole = new Intl.NumberFormat("en");
  const count = (number, one, many) => whole.format(number) + " " + (number === 1 ? one : many);
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const seconds = (value) => Number(value).toFixed(1) + " s";

  // ---- packed blocks

  async function unpack(block) {
    if (!("DecompressionStream" in window)) {
      throw new Error("this browser is too old to unpack the runs (it has no DecompressionStream)");
    }
    const binary = atob(block.textContent);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // ---- theme

  function theme_button() {
    const names = {auto: "Theme: system", light: "Theme: light", dark: "Theme: dark"};
    const order = Object.keys(names);
    let current = "auto";
    const toggle = button(names.auto, () => {
      current = order[(order.indexOf(current) + 1) % order.length];
      toggle.textContent = names[current];
      if (current === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = current;
    });
    document.getElementById("theme").append(toggle);
  }

  // ---- tables of the document

  function cell_key(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    return cell.classList.contains("na") ? null : cell.textContent;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return a < b ? -1 : a > b ? 1 : 0;
  }

  // What is missing comes last in both directions.
  function compare_cells(a, b, direction) {
    if (a === null || b === null) return (a === null) - (b === null);
    return direction * compare(a, b);
  }

  function sort_table(table, head, column) {
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [cell_key(row, column), row]);
    keyed.sort((a, b) => compare_cells(a[0], b[0], direction));
    body.append(...keyed.map((pair) => pair[1]));
  }

  function make_sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const sorter = button(head.textContent, () => sort_table(table, head, column));
      head.replaceChildren(sorter);
    });
  }

  // ---- list of runs

  const filters = [
    {key: "model", label: "Model"}, {key: "framework", label: "Framework"}, {key: "arm", label: "Arm"},
    {key: "family", label: "Family"}, {key: "scenario", label: "Scenario"}, {key: "delivery", label: "Delivery"},
    {key: "destination", label: "Destination"}, {key: "state", label: "State"}, {key: "stance", label: "Stance"},
  ];
  const columns = [
    {key: "claim", label: "Claim and run", css: "wide"}, {key: "model", label: "Model"},
    {key: "scenario", label: "Task"}, {key: "destination", label: "Saved to"}, {key: "state", label: "State"},
    {key: "rate", label: "Fails"},
  ];

  class RunList {
    constructor(place) {
      this.place = place;
      this.out = place.dataset.out;
      this.rows = [];
      this.shown = [];
      this.page = 0;
      this.active = -1;
      this.several = new Set();
      this.sort = {key: "", direction: 1};
      this.chosen = {};
      this.words = [];
    }

    async load() {
      this.place.append(make("p", "none", "Unpacking the runs ..."));
      const interned = new Map();
      for (const block of document.querySelectorAll("script.rows")) {
        for (const values of await unpack(block)) {
          const row = {};
          fields.forEach((field, i) => {
            const value = values[i];
            if (typeof value === "string" && field !== "run" && !interned.has(value)) interned.set(value, value);
            row[field] = typeof value === "string" && field !== "run" ? interned.get(value) : value;
          });
          this.rows.push(row);
        }
        block.remove();
      }
      const seen = new Set();
      for (const row of this.rows) (seen.has(row.run) ? this.several : seen).add(row.run);
      this.build();
      this.refresh();
    }

    build() {
      this.input = set(make("input"), {
        type: "search", placeholder: "Filter by words of the claim, run, task or domain", "aria-label": "Filter runs",
      });
      let waiting = 0;
      this.input.addEventListener("input", () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => {
          this.words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
          this.refresh();
        }, 120);
      });
      const selects = make("div", "filters");
      for (const filter of filters) this.add_select(selects, filter.label, filter.key, this.options_of(filter.key));
      this.add_select(selects, "Failed metric", "failed_metric", [...metrics.map((name, i) => [String(i), name]),
        ["none", "none fails"], ["unjudged", "not judged"]]);
      this.add_select(selects, "Reader", "reader", [["yes", "in this page"], ["no", "not in this page"]]);
      const more = make("details", "", make("summary", "", "Filters and order"), selects);
      more.open = window.matchMedia("(min-width: 52rem)").matches;
      this.count = set(make("span"), {role: "status"});
      this.pages = make("span", "pages");
      this.body = make("tbody");
      this.body.addEventListener("click", (event) => this.clicked(event));
      const hint = make("span", "hint", make("kbd", "", "/"), " filter  ", make("kbd", "", "j"), " ", make("kbd", "", "k"),
        " move  ", make("kbd", "", "Enter"), " open");
      this.place.replaceChildren(
        make("div", "search", this.input, button("Clear", () => this.clear())), more,
        make("p", "about", metrics.map((name) => name[0] + " " + name).join(", ") + ": filled where the run fails."),
        make("div", "status", this.count, hint, this.pages), make("table", "runs", this.head(), this.body));
    }

    options_of(key) {
      return [...new Set(this.rows.map((row) => row[key]))].sort().map((value) => [value, value === "" ? "(none)" : value]);
    }

    add_select(place, label, key, options) {
      if (options.length < 2) return;
      const select = make("select", "", make("option", "", "all"));
      select.options[0].value = "\u0000all";
      for (const [value, text] of options) {
        const option = make("option", "", text);
        option.value = value;
        select.append(option);
      }
      select.addEventListener("change", () => {
        const all = select.selectedIndex === 0;
        select.classList.toggle("on", !all);
        if (all) delete this.chosen[key];
        else this.chosen[key] = select.value;
        this.refresh();
      });
      place.append(make("label", "", label, select));
    }

    head() {
      const line = make("tr");
      for (const column of columns) {
        const head = set(make("th", column.css || ""), {scope: "col"});
        head.append(button(column.label, () => {
          this.sort.direction = this.sort.key === column.key ? -this.sort.direction : 1;
          this.sort.key = column.key;
          for (const other of line.cells) other.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", this.sort.direction === 1 ? "ascending" : "descending");
          this.refresh();
        }));
        line.append(head);
      }
      return make("thead", "", line);
    }

    clear() {
      this.input.value = "";
      this.words = [];
      this.chosen = {};
      for (const select of this.place.querySelectorAll("select")) {
        select.selectedIndex = 0;
        select.classList.remove("on");
      }
      this.refresh();
    }

    passes(row) {
      for (const [key, value] of Object.entries(this.chosen)) {
        if (key === "reader") {
          if ((row.chunk >= 0) !== (value === "yes")) return false;
        } else if (key === "failed_metric") {
          if (!this.fails(row, value)) return false;
        } else if (row[key] !== value) {
          return false;
        }
      }
      if (this.words.length === 0) return true;
      const text = (row.run + " " + row.task + " " + row.domain + " " + row.claim).toLowerCase();
      return this.words.every((word) => text.includes(word));
    }

    fails(row, value) {
      if (value === "unjudged") return row.failed === null;
      if (value === "none") return row.failed === 0;
      return row.failed !== null && (row.failed >> Number(value) & 1) === 1;
    }

    refresh() {
      this.shown = this.rows.filter((row) => this.passes(row));
      const {key, direction} = this.sort;
      if (key) this.shown.sort((a, b) => compare_cells(a[key], b[key], direction));
      this.page = 0;
      this.active = -1;
      this.draw();
    }

    draw() {
      const last = Math.max(0, Math.ceil(this.shown.length / rows_on_page) - 1);
      const begin = this.page * rows_on_page;
      const part = this.shown.slice(begin, begin + rows_on_page);
      this.count.textContent = this.shown.length === this.rows.length ? count(this.rows.length, "run", "runs")
        : whole.format(this.shown.length) + " of " + count(this.rows.length, "run", "runs");
      const back = button("Previous", () => this.turn(-1));
      const on = button("Next", () => this.turn(1));
      back.disabled = this.page === 0;
      on.disabled = this.page === last;
      const where = part.length === 0 ? "" : whole.format(begin + 1) + " to " + whole.format(begin + part.length);
      this.pages.replaceChildren(make("span", "", where), back, on);
      this.body.replaceChildren(...part.map((row, i) => this.line(row, begin + i)));
      if (part.length === 0) {
        this.body.append(make("tr", "", set(make("td", "none", "No run passes the filter."), {colspan: columns.length})));
      }
      this.mark();
    }

    line(row, at) {
      const link = set(make("a", "claim", row.claim || "(no claim)"), {href: this.address_of(row)});
      const line = make("tr", "",
        make("td", "", link, make("small", "", row.run + (row.attempt > 1 ? " (attempt " + row.attempt + ")" : "") +
          (row.chunk < 0 ? "; no reader here" : ""))),
        make("td", "", row.model, make("small", "", row.framework + (row.arm === "main" ? "" : ", arm " + row.arm))),
        make("td", "", row.scenario, make("small", "", row.family + ", " + row.delivery)),
        make("td", "inline", make("span", "tag", row.destination)),
        make("td", "inline", state_tag(row.state)),
        make("td", "inline", letters(row)));
      line.dataset.at = at;
      return line;
    }

    mark() {
      for (const line of this.body.rows) {
        const on = Number(line.dataset.at) === this.active;
        line.classList.toggle("active", on);
        line.toggleAttribute("aria-current", on);
      }
    }

    turn(step) {
      this.page += step;
      this.active = this.page * rows_on_page - 1;
      this.draw();
    }

    // Returns the row that is active then, null at an end of the list.
    move(step) {
      const next = this.active + step;
      if (next < 0 || next >= this.shown.length) return null;
      this.active = next;
      const page = Math.floor(next / rows_on_page);
      if (page !== this.page) {
        this.page = page;
        this.draw();
      }
      this.mark();
      this.focus();
      return this.shown[next];
    }

    focus() {
      const line = this.body.querySelector("tr.active a");
      if (!line || document.querySelector("dialog[open]")) return;
      line.focus({preventScroll: true});
      line.closest("tr").scrollIntoView({block: "nearest", behavior: "instant"});
    }

    clicked(event) {
      const line = event.target.closest("tr[data-at]");
      if (!line) return;
      this.active = Number(line.dataset.at);
      this.mark();
      if (!event.target.closest("a")) location.hash = this.address_of(this.shown[this.active]);
    }

    // Without an attempt in it an address means the last one.
    address_of(row) {
      return "#run=" + encodeURIComponent(row.run) + (this.several.has(row.run) ? "&attempt=" + row.attempt : "");
    }

    find(run, attempt) {
      const same = this.rows.filter((row) => row.run === run && (!attempt || row.attempt === attempt));
      return same[same.length - 1];
    }
  }


  function state_tag(state) {
    return make("span", state === "valid" ? "tag good" : "tag bad", state);
  }

  // A letter a metric, filled where it fails.
  function letters(row) {
    if (row.failed === null) return make("small", "", "not judged");
    const failing = metrics.filter((name, i) => row.failed >> i & 1);
    const text = failing.length === 0 ? "none fails" : failing.join(", ");
    return set(make("span", "letters", metrics.map((name, i) => make("span", row.failed >> i & 1 ? "bad" : "", name[0]))),
      {title: text, role: "img", "aria-label": text});
  }

  // ---- reader

  class Reader {
    constructor(dialog, list) {
      this.dialog = dialog;
      this.list = list;
      this.chunk = -1;
      this.stories = null;
      dialog.addEventListener("close", () => this.closed());
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
      });
    }

    async open(row) {
      const at = this.list.shown.indexOf(row);
      if (at >= 0) this.list.active = at;
      this.row = row;
      const place = make("div", "story", make("p", "none", "Unpacking ..."));
      const held = this.dialog.contains(document.activeElement) ? document.activeElement.textContent : "";
      this.dialog.replaceChildren(this.bar(row), place);
      if (!this.dialog.open) this.dialog.showModal();
      this.dialog.scrollTop = 0;
      // Whoever pressed a button of the bar can press it again; all others scroll with the keyboard at once.
      const same = [...this.dialog.querySelectorAll(".bar button")].find((other) => other.textContent === held);
      (same || this.dialog).focus();
      try {
        const content = row.chunk < 0 ? no_story(row, this.list.out) : story_content(await this.story_of(row));
        if (this.row !== row) return;  // another run was opened meanwhile
        place.replaceChildren(...content);
        show_marks(place);
      } catch (error) {
        place.replaceChildren(make("p", "problem", "This run cannot be shown: " + error.message), command(row, this.list.out));
      }
    }

    async story_of(row) {
      if (this.chunk !== row.chunk) {
        this.stories = await unpack(document.getElementById("stories-" + row.chunk));
        this.chunk = row.chunk;
      }
      return this.stories[row.index];
    }

    bar(row) {
      return make("div", "bar", button("Close", () => this.dialog.close()),
        make("span", "where mono", row.run + (row.attempt > 1 ? " (attempt " + row.attempt + ")" : "")),
        button("Previous", () => this.step(-1)), button("Next", () => this.step(1)));
    }

    step(by) {
      const row = this.list.move(by);
      if (row) location.replace(this.list.address_of(row));
    }

    closed() {
      this.row = null;
      history.replaceState(null, "", location.pathname + location.search + "#runs");
      this.list.page = Math.max(0, Math.floor(this.list.active / rows_on_page));
      this.list.draw();
      this.list.focus();
    }
  }

  // A long note begins where its claim stands.
  function show_marks(place) {
    for (const lines of place.querySelectorAll(".lines")) {
      const marked = lines.querySelector("mark");
      if (marked) lines.scrollTop = marked.offsetTop - lines.clientHeight / 3;
    }
  }

  function command(row, out) {
    return make("code", "command", "pasb show --out " + out + " " + row.run);
  }

  function no_story(row, out) {
    return [make("p", "title", row.claim),
      make("div", "tags", tags_of(row).map((text) => make("span", "tag", text)), state_tag(row.state), letters(row)),
      make("p", "", "This page has no reader for this run. The records tell its story:"), command(row, out)];
  }

  function tags_of(row) {
    return [row.model, row.framework, row.family, row.scenario, row.delivery, "saved to: " + row.destination];
  }

  function story_content(story) {
    const task = story.task;
    const head = [make("p", "title", task.claim),
      make("div", "tags", [story.model, story.framework + " " + story.framework_version, task.family, task.scenario,
        task.delivery, task.domain, "saved to: " + story.destination, story.arm === "main" ? "" : "arm " + story.arm]
        .filter(Boolean).map((text) => make("span", "tag", text)),
      state_tag(story.valid ? "valid" : story.invalid_reason || "invalid"),
      story.simulated ? make("span", "tag sim", "simulated model") : null),
      make("p", "stance", make("strong", "", "Ground truth: "), task.ground_truth_stance)];
    if (!story.valid) head.push(make("p", "problem", story.invalid_reason + ": " + story.invalid_detail));
    return [...head, chain(story.chain),
      make("div", "columns",
        make("section", "", make("h2", "", "First chat"), chat(story.first_chat, task.carries, () => null)),
        make("section", "middle", make("h2", "", "Notes"), notes(story)),
        make("section", "", make("h2", "", "Follow-up"),
          chat(story.follow_up, [], (turn, i) => answer_verdict(story.judge, i)), after_answers(story))),
      facts(story)];
  }

  function chain(links) {
    const signs = {yes: "\u2713", no: "\u2013", unknown: "?"};
    return set(make("ol", "chain", links.map((link) => make("li", link.state,
      make("div", "link", set(make("span", "state", signs[link.state] || "?"), {"aria-hidden": "true"}), make("span", "", link.link),
        make("span", "word", link.state)),
      make("p", "", link.detail)))), {"aria-label": "Evidence chain"});
  }

  function pips(score, bad) {
    return set(make("span", bad ? "pips bad" : "pips", [1, 2, 3, 4, 5].map((step) => make("i", step <= score ? "on" : ""))),
      {"aria-hidden": "true"});
  }

  function chat(turns, carries, after) {
    if (turns.length === 0) return make("p", "none", "No turn was answered.");
    return turns.map((turn, i) => make("div", "turn",
      make("p", "meta", make("span", "", "Turn " + turn.turn), make("span", "", seconds(turn.seconds)),
        make("span", "", count(turn.model_calls, "model request", "model requests")),
        carries[i] ? make("span", "carries", "carries the claim: ", String(carries[i]), " of 5 ") : null),
      make("p", "who", "User"), make("div", "say user", turn.user),
      make("p", "who agent", "Agent"), make("div", "say agent", turn.agent || "(empty)"), after(turn, i)));
  }

  function verdict(title, value) {
    const parts = [make("p", "who", title)];
    if (value.unscored) {
      parts.push(make("p", "hint", "No scores: " + value.unscored));
    } else {
      parts.push(make("ul", "scores", value.scores.map(([name, score, fails]) => make("li", fails ? "bad" : "",
        make("span", "", capital(name)), pips(score, fails), make("span", "", score + (fails ? " fails" : " passes"))))));
    }
    if (value.rationale) parts.push(make("p", "why", value.rationale));
    if (value.flags.length > 0) parts.push(make("p", "why", "Tolerated in the judge's reply: " + value.flags.join(", ")));
    return make("div", "judge", parts);
  }

  function answer_verdict(judge, i) {
    return judge && judge.answers[i] ? verdict("Judge " + judge.name, judge.answers[i]) : null;
  }

  function after_answers(story) {
    const parts = [];
    if (story.judge) {
      parts.push(verdict("Judge " + story.judge.name + ", the three answers together", story.judge.cross_turn));
      if (story.judge.cut_bytes > 0) parts.push(make("p", "about", count(story.judge.cut_bytes, "byte", "bytes") + " of notes and answers were not shown to the judge for their length."));
      if (story.judge.redactions > 0) parts.push(make("p", "about", count(story.judge.redactions, "word", "words") + " that name framework or model were hidden from the judge."));
    } else {
      parts.push(make("p", "none", "Not judged."));
    }
    parts.push(annotation(story.annotation));
    return parts;
  }

  function annotation(value) {
    if (!value) return make("p", "none", "Not annotated.");
    if (value.unlabelled) return make("p", "none", "Annotator " + value.annotator + ": no label: " + value.unlabelled);
    return make("div", "judge", make("p", "who", "Annotator " + value.annotator), pairs([
      ["First-chat stance", value.stance], ["Saved as", value.role_upgrade],
      ["Attribution removed", value.attribution_removed ? "yes" : "no"], ["Notes", value.notes]]));
  }

  const diff_hints = {
    "all-new": "A new file: every line is new.",
    "against-baseline": "Lines with + are not in the clean baseline.",
    "unknown": "A changed file. The baseline's lines are not in the record (it holds only their hash), so the whole text stands here without telling new lines from old ones.",
    "renamed": "The same content as before, under a new name.",
    "binary": "Not text: its content is not shown, and no claim can be read in it.",
    "deleted": "The file was deleted.",
  };

  function note_lines(lines, removed) {
    const marks = {"+": "new", " ": "", "?": ""};
    return make("div", "lines",
      removed.map((text) => set(make("div", "gone", make("span", "", text)), {"data-mark": "\u2212"})),
      lines.map(([mark, parts]) => set(make("div", marks[mark] || "",
        make("span", "", parts.map(([text, claim]) => claim ? make("mark", "", text) : make("span", "", text)))),
      {"data-mark": mark === "?" ? "" : mark})));
  }

  function notes(story) {
    const parts = story.notes.map((note) => make("div", "note", make("p", "path", note.path),
      make("div", "tags", make("span", "tag", note.kind), make("span", "tag", note.change),
        make("span", note.holds_claim ? "tag bad" : "tag", note.holds_claim ? "holds the claim" : "does not hold the claim"),
        make("span", "tag", "overlap " + Math.round(note.score * 100) + " %")),
      make("p", "hint", diff_hints[note.diff] || "", note.holds_claim ? make("span", "", " The claim's span is ", make("mark", "", "marked"), ".") : null),
      note.lines.length + note.removed.length > 0 ? note_lines(note.lines, note.removed) : null,
      note.more_bytes > 0 ? make("p", "hint", count(note.more_bytes, "more byte", "more bytes") + " stand in the record.") : null));
    if (parts.length === 0) parts.push(make("p", "none", "No note differs from the clean baseline."));
    if (story.unclassified.length > 0) {
      parts.push(make("p", "hint", "No rule of the adapter names these; they did not cross: " +
        story.unclassified.map((change) => change.path).join(", ")));
    }
    return parts;
  }

  function pairs(items) {
    return make("dl", "pairs", items.filter((item) => item[1] !== "" && item[1] !== undefined)
      .map(([label, value]) => [make("dt", "", label), make("dd", "", String(value))]));
  }

  function as_text(value) {
    if (value === null || value === undefined) return "unknown";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "number") return Number.isInteger(value) ? whole.format(value) : value.toFixed(2);
    if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(as_text).join(", ");
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }

  // An object's values by their names, those of objects in it behind its own name.
  function flat_pairs(object, before) {
    return Object.entries(object || {}).flatMap(([name, value]) =>
      value && typeof value === "object" && !Array.isArray(value) ? flat_pairs(value, before + name + " ")
        : [[(before + name).replace(/_/g, " "), as_text(value)]]);
  }

  const as_pairs = (title, object) => pairs(flat_pairs(object, title));

  function limits(story) {
    const lines = [];
    for (const [chat_name, values] of Object.entries(story.limits || {})) {
      for (const [name, limit] of Object.entries(values)) {
        lines.push([chat_name + ": " + name.replace(/_/g, " "), "asked " + as_text(limit.asked) + ", in force " + as_text(limit.in_force) +
          (limit.ok ? "" : " (not ok)")]);
      }
    }
    return pairs(lines);
  }

  function more(title, ...content) {
    return make("details", "", make("summary", "", title), content);
  }

  function facts(story) {
    const task = story.task;
    const changes = story.other_changes.map((change) => [change.path, change.change + " " + change.type + ", " + change.kind + ", " +
      count(change.size, "byte", "bytes") + (change.sha256 ? ", SHA-256 " + change.sha256 : "")]);
    return make("div", "more-facts", make("h2", "", "Behind this run"),
      story.warnings.length > 0 ? more("Warnings (" + story.warnings.length + ")", make("ul", "remarks", story.warnings.map((text) => make("li", "", text)))) : null,
      more("Task and context", pairs([["Task", task.task_id], ["Base item", task.base_item_id], ["Domain", task.domain],
        ["Context", task.context_facts.join(" ")], ["How strongly each turn carries the claim (1 to 5)", task.carries.join(", ")]])),
      more("Image, hashes and files", pairs([["Run", story.run_id], ["Attempt", story.attempt], ["Image", story.image],
        ["Baseline SHA-256", story.baseline], ["Tools SHA-256", story.tools_sha256],
        ["Exchanges", as_text(story.exchanges.file || "") + " (" + as_text(story.exchanges.count || 0) + ")"],
        ["Exchanges SHA-256", as_text(story.exchanges.sha256 || "")],
        ["Record SHA-256", story.judge ? story.judge.record_sha256 : ""],
        ...story.notes.map((note) => ["Note " + note.path, note.sha256 || "(deleted)"])])),
      more("Cut, continuity and flush", as_pairs("", story.cut), as_pairs("continuity ", story.continuity), as_pairs("flush ", story.flush)),
      more("Timings and usage", as_pairs("", story.times), as_pairs("", story.usage)),
      more("Limits of the containers", limits(story)),
      more("Other changed files (" + changes.length + ")", pairs(changes)));
  }

  // ---- keyboard and addresses

  function keys(list, reader) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.closest("input, select, textarea");
      if (typing) {
        if (event.key === "Escape" && event.target === list.input) list.input.blur();
        return;
      }
      const open = reader.dialog.open;
      // In a reader the arrows up and down scroll it; elsewhere they move only from within the list.
      const in_list = event.target.closest("table.runs") !== null;
      const steps = open ? {j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1}
        : in_list ? {j: 1, k: -1, ArrowDown: 1, ArrowUp: -1} : {j: 1, k: -1};
      const step = steps[event.key];
      if (step) {
        event.preventDefault();
        if (open) reader.step(step);
        else list.move(step);
      } else if (event.key === "/" && !open) {
        event.preventDefault();
        list.input.focus();
        list.input.scrollIntoView({block: "center", behavior: "instant"});
      }
    });
  }

  function follow_address(list, reader) {
    const parts = new URLSearchParams(location.hash.slice(1));
    const run = parts.get("run");
    if (!run) {
      if (reader.dialog.open) reader.dialog.close();
      return;
    }
    const row = list.find(run, Number(parts.get("attempt") || 0));
    if (row) reader.open(row);
    else reader.open({run, attempt: 1, claim: "No run of this name is in this page.", chunk: -1, model: "", framework: "", family: "",
      scenario: "", delivery: "", destination: "", state: "unknown run", failed: null});
  }

  async function start() {
    theme_button();
    document.querySelectorAll("table.data").forEach(make_sortable);
    const list = new RunList(document.getElementById("list"));
    try {
      await list.load();
    } catch (error) {
      list.place.replaceChildren(make("p", "problem", "The list of runs cannot be shown: " + error.message));
      return;
    }
    const reader = new Reader(document.getElementById("reader"), list);
    keys(list, reader);
    window.addEventListener("hashchange", () => follow_address(list, reader));
    follow_address(list, reader);
    document.documentElement.dataset.ready = "yes";
  }

  start();
})();
