"use strict";
// Steps, links between pictures, and questions of a handout. All of its data is in the element #data.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("svg").namespaceURI;
  const each = (list, act) => Array.prototype.forEach.call(list, act);

  // --- letters as wide as they were measured, or narrower
  const pen = document.createElement("canvas").getContext("2d");
  const root = document.documentElement;
  ["sans", "mono"].forEach((face, n) => {
    pen.font = "100px " + getComputedStyle(root).getPropertyValue("--" + face);
    const wide = pen.measureText(data.sample).width / 100;
    if (wide > data.widths[n] * 1.01) root.style.setProperty("--" + face + "-fit", (data.widths[n] / wide).toFixed(4));
  });

  // --- shapes
  const make = (name, attributes) => {
    const node = document.createElementNS(svg, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    return node;
  };
  function nodes_of(number) {
    const shape = data.shapes[number], look = "a" + (shape[shape[0] === 0 ? 2 : 1] || 0);
    if (shape[0] === 0) {
      const place = data.places[shape[1] || 0];
      const box = { x: place[0] || 0, y: place[1] || 0, width: place[2] || 0, height: place[3] || 0 };
      if (place[4]) box.rx = place[4];
      const node = make("rect", Object.assign({ class: look }, box));
      if (place[5]) node.dataset.id = data.texts[place[5]];
      if (shape[4]) node.dataset.e = data.texts[shape[4]];
      if (shape[6]) node.dataset.l = shape[6];
      node.shape = number;
      return shape[3] ? [node, make("rect", Object.assign({ class: "hatched" }, box))] : [node];
    }
    if (shape[0] === 1) {
      const node = make("text", { class: shape[5] ? look + " cut" : look, x: shape[2], y: shape[3] });
      if (shape[5]) node.appendChild(make("title", {})).textContent = data.texts[shape[5]];
      node.appendChild(document.createTextNode(data.texts[shape[4]]));
      return [node];
    }
    if (shape[0] === 2) return [make("line", { class: look, x1: shape[2], y1: shape[3], x2: shape[4], y2: shape[5] })];
    const node = make("path", { class: look, d: shape[2] });
    if (shape[3]) node.dataset.id = data.texts[shape[3]];
    return [node];
  }
  function applied(before, changes) {
    const now = [];
    let at = 0;
    for (const change of changes) {
      if (Array.isArray(change)) {
        for (let n = 0; n < change.length; n += 2)
          for (let k = 0; k < change[n + 1]; ++k) now.push(change[n] + k);
      } else if (change < 0) {
        at -= change;
      } else {
        for (let k = 0; k < change; ++k) now.push(before[at++]);
      }
    }
    return now;
  }

  // --- what is pointed at: an element or a line, the same in all pictures of the page
  let pinned = null;
  const key_of = (node) => node.dataset.line ? { line: node.dataset.line }
    : { elements: node.dataset.e, line: node.dataset.l, id: node.dataset.id };
  function light(key) {
    each(document.querySelectorAll(".lit"), (node) => node.classList.remove("lit"));
    if (!key) return;
    const by_line = !key.id && key.line, wanted = new Set((key.elements || "").split(" "));
    each(document.querySelectorAll("svg rect[data-id]"), (node) => {
      const same = by_line ? node.dataset.l === key.line
        : key.elements ? (node.dataset.e || "").split(" ").some((element) => element && wanted.has(element))
        : node.dataset.id === key.id && node.dataset.l;
      if (same) node.classList.add("lit");
    });
    if (key.line)
      each(document.querySelectorAll('.line[data-line="' + key.line + '"]'), (node) => node.classList.add("lit"));
  }
  function words_of(node) {
    if (node.dataset.line) return "line " + node.dataset.line;
    const shape = data.shapes[node.shape], place = data.places[shape[1] || 0];
    const words = [data.texts[place[6] || 0], data.texts[shape[5] || 0]].filter((text) => text).join(": ");
    return words + (shape[6] ? (words ? "; " : "") + "line " + shape[6] : "");
  }

  // --- players
  let current = null;
  const players = [];
  class Player {
    constructor(figure, steps) {
      this.figure = figure, this.steps = steps, this.at = 0, this.timer = 0;
      this.find = (what) => figure.querySelector(what);
      this.pictures = new Map();
      each(figure.querySelectorAll(".picture"), (node) => this.pictures.set(node.dataset.name, node));
      const last = new Map();
      this.lists = steps.map((step) => step[4].map((picture) => {
        const list = applied(last.get(picture[0]) || [], picture[4]);
        last.set(picture[0], list);
        return list;
      }));
      this.slider = this.find("input[type=range]");
      if (this.slider) {
        this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
        this.find(".back").addEventListener("click", () => this.show(this.at - 1));
        this.find(".forward").addEventListener("click", () => this.show(this.at + 1));
        this.find(".play").addEventListener("click", () => this.play(!this.timer));
      }
      this.advice = this.find(".fact").textContent;
      each(figure.querySelectorAll(".line"), (node) => node.addEventListener("click", () => this.go_to(node)));
      figure.addEventListener("pointerover", (event) => this.point(event.target, false));
      figure.addEventListener("pointerleave", () => this.point(null, false));
      figure.addEventListener("click", (event) => {
        if (!event.target.closest(".bar")) this.point(event.target, true);
      });
      figure.addEventListener("focusin", () => { current = this; });
      figure.addEventListener("pointerdown", () => { current = this; });
      this.show(0);
    }
    show(wanted) {
      const at = Math.max(0, Math.min(this.steps.length - 1, wanted));
      const [title, line, code, caption, pictures] = this.steps[at];
      if (at !== wanted) this.play(false);
      this.at = at;
      if (this.slider) {
        this.slider.value = at;
        this.slider.setAttribute("aria-valuetext", data.texts[title]);
      }
      const count = this.steps.length > 1 ? "Step " + (at + 1) + " of " + this.steps.length + " · " : "";
      this.find(".where").textContent = count + data.texts[title];
      this.find(".caption code").textContent = data.texts[code];
      this.find(".caption span").textContent = data.texts[caption];
      const seen = new Set();
      pictures.forEach((picture, n) => { seen.add(this.draw(picture, this.lists[at][n])); });
      for (const [name, node] of this.pictures) {
        node.hidden = !seen.has(name);
        if (node.hidden) node.querySelector("svg").replaceChildren();  // what is not shown is not pointed at
      }
      this.mark_line(line);
      light(pinned);
      this.tell_pinned();
    }
    // Where the element that a click keeps is now.
    tell_pinned() {
      const fact = this.find(".fact");
      if (!pinned || !pinned.elements || !fact.kept) return;
      const places = Array.from(this.figure.querySelectorAll("svg .lit"), words_of);
      fact.kept = places.length ? places.slice(-3).join(" · ") : pinned.elements + " is in no picture of this step";
      fact.textContent = fact.kept;
    }
    draw([name_text, title, width, height], list) {
      const name = data.texts[name_text];
      let picture = this.pictures.get(name);
      if (!picture) {
        picture = document.createElement("div");
        picture.className = "picture", picture.dataset.name = name;
        picture.innerHTML = '<h3></h3><div class="scroll" tabindex="0" role="group"></div>';
        picture.lastChild.appendChild(make("svg", { role: "img" }));
        this.find(".pictures").appendChild(picture);
        this.pictures.set(name, picture);
      }
      picture.querySelector("h3").textContent = data.texts[title];
      const drawing = picture.querySelector("svg"), known = picture.known || (picture.known = new Map());
      picture.querySelector(".scroll").setAttribute("aria-label", data.texts[title]);
      const look = { viewBox: "0 0 " + width + " " + height, width, height, "aria-label": data.texts[title] };
      for (const key in look) drawing.setAttribute(key, look[key]);
      drawing.style.setProperty("--w", width + "px");
      const times = new Map(), all = [];
      for (const number of list) {
        const time = times.get(number) || 0, key = number + ":" + time;
        times.set(number, time + 1);
        let nodes = known.get(key);
        if (!nodes) known.set(key, nodes = nodes_of(number));
        for (const node of nodes) all.push(node);
      }
      drawing.replaceChildren(...all);
      return name;
    }
    mark_line(line) {
      const source = this.find(".source");
      if (!source) return;
      each(source.querySelectorAll(".current"), (node) => {
        node.classList.remove("current");
        node.removeAttribute("aria-current");
      });
      const node = source.querySelector('[data-line="' + line + '"]');
      if (!node) return;
      node.classList.add("current");
      node.setAttribute("aria-current", "step");
      source.scrollTop += node.getBoundingClientRect().top - source.getBoundingClientRect().top - source.clientHeight / 3;
    }
    // The next step at a line of the source, else the first one.
    go_to(node) {
      const line = Number(node.dataset.line), stands = (step) => step[1] === line;
      const next = this.steps.findIndex((step, n) => n > this.at && stands(step));
      const found = next >= 0 ? next : this.steps.findIndex(stands);
      if (found >= 0) this.show(found);
    }
    play(on) {
      clearInterval(this.timer);
      if (on && this.at === this.steps.length - 1) this.show(0);
      this.timer = on ? setInterval(() => this.show(this.at + 1), 1000) : 0;
      const button = this.find(".play");
      if (!button) return;
      button.textContent = on ? "Pause" : "Play";
      button.setAttribute("aria-pressed", String(on));
    }
    point(target, keep) {
      const node = target && target.closest ? target.closest("svg rect[data-id], .line") : null;
      const fact = this.find(".fact");
      if (keep) {
        const key = node && key_of(node);
        pinned = key && JSON.stringify(key) !== JSON.stringify(pinned) ? key : null;
        each(document.querySelectorAll(".fact"), (other) => { other.kept = ""; });
        fact.kept = pinned ? words_of(node) : "";
      }
      fact.textContent = node ? words_of(node) : fact.kept || this.advice;
      fact.classList.toggle("pinned", Boolean(fact.kept) && !node);
      light(node ? key_of(node) : pinned);
    }
  }
  each(document.querySelectorAll(".player"), (figure) => {
    players.push(new Player(figure, data.players[Number(figure.dataset.player)].steps));
  });
  current = players[0] || null;

  // --- keys: arrows within a player, Page Up and Page Down through all of them, as a clicker does
  function stop(direction) {
    const n = players.indexOf(current), next = current.at + direction;
    if (next >= 0 && next < current.steps.length) return current.show(next), current;
    const other = players[n + direction];
    if (!other) return null;
    current = other;
    other.show(direction > 0 ? 0 : other.steps.length - 1);
    return other;
  }
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const types = target.matches && target.matches("input:not([type=range]), textarea, select");
    if (!current || types || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const act = {
      ArrowLeft: () => current.show(current.at - 1), ArrowRight: () => current.show(current.at + 1),
      Home: () => current.show(0), End: () => current.show(current.steps.length - 1),
      PageDown: () => stop(1), PageUp: () => stop(-1),
      Escape: () => current.point(null, true),
    }[event.key];
    if (!act) return;
    if (act() === null) return;
    event.preventDefault();
    if (event.key.startsWith("Page") && players.length > 1) current.figure.scrollIntoView({ block: "start" });
  });

  // --- questions
  const blanks = /\s+/g;
  const value_of = (text) => {
    const plain = text.replace(blanks, "").replace(/,/g, ".");
    return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
  };
  function is_right(question, answer) {
    if (question.kind === "choice") return question.choices[Number(answer)] === question.answer;
    if (question.kind === "row") return answer.replace(blanks, "") === question.answer.replace(blanks, "");
    const given = value_of(answer), wanted = value_of(question.answer);
    return Math.abs(given - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  }
  each(document.querySelectorAll(".question"), (form) => {
    const question = data.questions[Number(form.dataset.question)];
    const graded = form.querySelector(".graded"), more = form.querySelector(".more");
    const tell = (words, mark) => { graded.textContent = words, graded.className = "graded " + mark; };
    const toggle = (button, text) => {
      const open = button && button.getAttribute("aria-expanded") !== "true";
      each(form.querySelectorAll("[aria-expanded]"), (one) => one.setAttribute("aria-expanded", "false"));
      if (button) button.setAttribute("aria-expanded", String(open));
      more.innerHTML = open ? text : "";
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = form.querySelector("input:checked"), field = form.querySelector("input[type=text]");
      const answer = chosen ? chosen.value : field ? field.value : "";
      if (!answer.trim()) return tell("Give an answer first.", "");
      if (question.kind === "number" && Number.isNaN(value_of(answer))) return tell("✗ That is not a number.", "wrong");
      const right = is_right(question, answer);
      tell(right ? "✓ Right." : "✗ Not right. Try again.", right ? "right" : "wrong");
      if (right) more.innerHTML = question.why;
    });
    const hint = form.querySelector(".hint"), reveal = form.querySelector(".reveal");
    if (hint) hint.addEventListener("click", () => toggle(hint, question.hint));
    reveal.addEventListener("click", () => {
      if (question.kind === "code") return toggle(reveal, question.why);
      toggle(reveal, question.why);
      const open = reveal.getAttribute("aria-expanded") === "true";
      tell(open ? "Answer: " + question.answer + (question.unit ? " " + question.unit : "") : "", "");
    });
  });
})();
