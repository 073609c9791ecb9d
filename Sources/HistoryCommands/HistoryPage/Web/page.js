(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const drawn = ["svg", "defs", "pattern", "rect", "path", "circle"];
  const make = (name, attributes, ...children) => {
    const node = drawn.includes(name)
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const fill = (id, ...children) => {
    const node = document.getElementById(id);
    node.append(...children);
    node.hidden = false;
  };
  const number = (count) => count.toLocaleString("en-US");
  const pushes = (count) => number(count) + (count === 1 ? " push" : " pushes");
  const time = (milliseconds) => {
    const date = new Date(milliseconds);
    if (Number.isNaN(date.getTime())) return "unknown";
    const text = date.toISOString().slice(0, 19);
    return make("time", { datetime: text + "Z" }, text.replace("T", " "));
  };
  const table = (kind, headings, rows) => make("table", { class: kind },
    make("thead", {}, make("tr", {}, ...headings)), make("tbody", {}, ...rows));
  const heading = (text, kind) => make("th", { scope: "col", class: kind || "" }, text);
  const unseen = (text) => make("th", { scope: "col" }, make("span", { class: "unseen" }, text));
  const name = (...children) => make("th", { scope: "row" }, ...children);
  const figure = (text) => make("td", { class: "n" }, text);

  // Patterns: an outcome does not need its colour to be told from others.
  const marks = {
    rejected: ["path", { class: "mark", d: "M-2 2l4-4M0 8l8-8M6 10l4-4" }],
    skipped: ["path", { class: "mark", d: "M0 4h8" }],
    deferred: ["circle", { class: "dot", cx: 4, cy: 4, r: 1.5 }],
    unknown: ["path", { class: "mark", d: "M0 0l8 8M8 0l-8 8" }],
    notAttempted: ["path", { class: "mark", d: "M4 0v8" }],
  };
  const pattern = (outcome) => make("pattern",
    { id: "is-" + outcome.name, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    make("rect", { width: 8, height: 8, class: outcome.name }),
    ...(marks[outcome.name] ? [make(...marks[outcome.name])] : []));
  const paint = (outcome) => "url(#is-" + outcome.name + ")";
  const swatch = (outcome) => make("svg",
    { class: "swatch", width: 14, height: 14, "aria-hidden": "true" },
    make("rect", { width: 14, height: 14, rx: 2, fill: paint(outcome) }));
  const bar = (count, most, fill) => make("td", {}, make("svg",
    { class: "bar", width: "100%", height: 16, "aria-hidden": "true" },
    make("rect", { width: 100 * count / most + "%", height: 16, rx: 2, fill })));
  const greatest = (counts) => Math.max(1, ...counts);

  const drawOutcomes = () => {
    const most = greatest(data.outcomes.map((one) => one.count));
    fill("outcomes",
      make("svg", { class: "unseen", width: 0, height: 0, "aria-hidden": "true" },
        make("defs", {}, ...data.outcomes.map(pattern))),
      table("bars", [heading("Outcome"), unseen("Bar"), heading("Pushes", "n"),
        heading("Share", "n")], data.outcomes.map((one) => make("tr", {},
        name(swatch(one), one.words), bar(one.count, most, paint(one)),
        figure(number(one.count)), figure(one.share)))));
  };

  const drawTimes = () => {
    const totals = data.bars.map((one) => one.counts.reduce((sum, count) => sum + count, 0));
    const most = greatest(totals);
    const parts = data.bars.flatMap((one, index) => {
      let top = 0;
      return one.counts.flatMap((count, which) => {
        if (count === 0) return [];
        top += count;
        // However few there are, they can be seen.
        const height = Math.max(160 * count / most, 1.5);
        return [make("rect", { x: 12 * index + 1, width: 10, height,
          y: Math.min(160 - 160 * top / most, 160 - height),
          fill: paint(data.outcomes[which]) })];
      });
    });
    // A single bar is not as wide as the page.
    const fewest = 12;
    const ends = data.bars.length < fewest ? [data.bars[0]] : [data.bars[0], data.bars.at(-1)];
    fill("times",
      make("p", {}, "Each bar is " + data.barWidth + "; the highest has " + pushes(most) + "."),
      make("p", { class: "legend" },
        ...data.outcomes.map((one) => make("span", {}, swatch(one), one.words))),
      make("svg", { class: "times", role: "img", preserveAspectRatio: "none",
        viewBox: "0 0 " + 12 * Math.max(data.bars.length, fewest) + " 160",
        "aria-label": "Outcomes over time; the figures are in the table below." }, ...parts),
      make("p", { class: "ends" },
        ...ends.map((one) => make("span", {}, time(1000 * one.start)))),
      make("details", {}, make("summary", {}, "Show the figures"),
        make("div", { class: "wide", tabindex: 0, role: "region",
          "aria-label": "Outcomes over time, the figures" },
        table("figures", [heading("From"),
          ...data.outcomes.map((one) => heading(one.words, "n"))],
        data.bars.filter((one, index) => totals[index] > 0).map((one) => make("tr", {},
          name(time(1000 * one.start)),
          ...one.counts.map((count) => figure(number(count)))))))));
  };

  const drawLatency = () => {
    const most = greatest(data.latencies.map((one) => one.count));
    fill("latency",
      make("p", {}, "From a push's last request to its answer: "
        + data.percentiles + "."),
      table("bars latency", [heading("Latency"), unseen("Bar"), heading("Answers", "n")],
        data.latencies.map((one) => make("tr", {}, name(one.name),
          bar(one.count, most, "currentColor"), figure(number(one.count))))));
  };

  const drawReasons = () => {
    const advice = (one) => [one.meaning, one.cause && "Most likely: " + one.cause]
      .filter(Boolean).map((text) => make("p", {}, text))
      .concat(one.fix ? [make("p", {}, make("strong", {}, "What to do:"), " " + one.fix)] : []);
    fill("reasons", make("ul", { class: "reasons" }, ...data.reasons.map((one) =>
      make("li", {}, make("h3", {}, one.name + " ",
        make("span", { class: "count" }, pushes(one.count))), ...advice(one)))));
    if (data.otherReasons > 0) {
      fill("reasons", make("p", {}, number(data.otherReasons)
        + (data.otherReasons === 1 ? " more answer" : " more answers") + " had other reasons."));
    }
  };

  const columns = ["At (UTC)", "Outcome", "Answer", "Token", "Run", "Environment", "Recipient",
    "Latency", "apns-id"];
  const pushRow = (one) => {
    const outcome = data.outcomes[one.outcome];
    const [answer, token, run, environment, recipient, latency, id] = one.cells;
    // The number of the line stays whole.
    const colon = recipient.lastIndexOf(":");
    const place = make("span", {}, recipient.slice(0, colon),
      make("span", { class: "short" }, recipient.slice(colon)));
    const cells = [time(one.at), make("span", {}, swatch(outcome), outcome.words), answer,
      make("code", { class: data.showsTokens ? "" : "short" }, token), run, environment,
      place, latency, make("code", { class: "short" }, id)];
    return make("tr", { role: "row" }, ...cells.map((cell, index) =>
      make("td", { role: "cell", "data-name": columns[index] }, cell)));
  };
  const drawPushes = () => {
    const order = "those that were not accepted first, then the newest";
    const shown = data.rows.length;
    fill("extent", ...(shown === data.total
      ? [data.total === 1 ? "1 push." : "All " + pushes(data.total) + ", " + order + "."]
      : [make("strong", {}, number(shown) + " of " + pushes(data.total)), ", " + order
        + ". 'fanfare history list --pushes' lists the others."]));
    const rows = data.rows.map((one, index) => ({ ...one, index, row: pushRow(one) }));
    const body = make("tbody", { role: "rowgroup" }, ...rows.map((one) => one.row));
    const heads = columns.map((text) =>
      make("th", { role: "columnheader", scope: "col" }, text));
    fill("pushes", make("table",
      { class: "pushes", role: "table", "aria-labelledby": "pushes-title" },
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)), body));
    data.outcomes.forEach((one, index) => {
      if (rows.some((row) => row.outcome === index)) {
        fill("outcome", make("option", { value: index }, one.words));
      }
    });
    addControls(rows, body, heads[0]);
  };
  const addControls = (rows, body, timeHead) => {
    const [find, outcome, order, shown] = ["find", "outcome", "order", "shown"]
      .map((id) => document.getElementById(id));
    const show = () => {
      const wanted = find.value.trim().toLowerCase();
      let count = 0;
      for (const one of rows) {
        const fits = one.row.textContent.toLowerCase().includes(wanted)
          && (outcome.value === "" || String(one.outcome) === outcome.value);
        one.row.hidden = !fits;
        if (fits) count += 1;
      }
      shown.textContent = count + " of " + rows.length + " rows";
    };
    const sort = () => {
      const sign = { newest: -1, oldest: 1 }[order.value] || 0;
      rows.sort((a, b) => sign * (a.at - b.at) || a.index - b.index);
      body.append(...rows.map((one) => one.row));
      timeHead.setAttribute("aria-sort", ["descending", "none", "ascending"][sign + 1]);
    };
    find.addEventListener("input", show);
    outcome.addEventListener("change", show);
    order.addEventListener("change", sort);
    document.getElementById("controls")
      .addEventListener("submit", (event) => event.preventDefault());
    show();
  };

  if (data.about.length > 0) {
    fill("about", ...data.about.map(([title, values]) => make("div", {},
      make("dt", {}, title), ...values.map((value) => make("dd", {}, value)))));
  }
  fill("cards", ...data.cards.map(([title, value]) =>
    make("div", {}, make("dt", {}, title), make("dd", {}, value))));
  if (data.notes.length > 0) {
    fill("notes", ...data.notes.map((text) => make("p", {}, text)));
  }
  if (data.total > 0) {
    const [from, to] = data.range;
    fill("period", "From ", time(1000 * from), " to ", time(1000 * to), ".");
    drawOutcomes();
    drawTimes();
  } else {
    fill("period", "No pushes in the history match.");
  }
  if (data.latencies.length > 0) drawLatency();
  if (data.reasons.length > 0) drawReasons();
  if (data.total > 0) drawPushes();
  fill("made", "Made by fanfare " + data.version + " at ", time(1000 * data.madeAt),
    ". Times are UTC.");
})();
