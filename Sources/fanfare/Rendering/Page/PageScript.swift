/// What the page does by itself: it hides rows and orders them. Nothing of the data is in it.
let pageScript = """
  (() => {
    "use strict";
    const table = document.querySelector("table.pushes");
    if (!table) return;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({
      row,
      text: row.textContent.toLowerCase(),
      outcome: row.dataset.outcome,
      at: Number(row.dataset.at),
      n: Number(row.dataset.n),
    }));
    const [find, outcome, order, shown] = ["find", "outcome", "order", "shown"]
      .map((id) => document.getElementById(id));
    const show = () => {
      const wanted = find.value.trim().toLowerCase();
      let count = 0;
      for (const one of rows) {
        const fits = one.text.includes(wanted)
          && (outcome.value === "" || one.outcome === outcome.value);
        one.row.hidden = !fits;
        if (fits) count += 1;
      }
      shown.textContent = count + " of " + rows.length + " rows";
    };
    const sort = () => {
      const sign = { newest: -1, oldest: 1 }[order.value] || 0;
      rows.sort((a, b) => sign * (a.at - b.at) || a.n - b.n);
      body.append(...rows.map((one) => one.row));
      document.getElementById("time")
        .setAttribute("aria-sort", ["descending", "none", "ascending"][sign + 1]);
    };
    find.addEventListener("input", show);
    outcome.addEventListener("change", show);
    order.addEventListener("change", sort);
    const controls = document.getElementById("controls");
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.hidden = false;
    show();
  })();
  """
