"use strict";
(() => {
  const PAGE = 15;
  const details = JSON.parse(document.getElementById("details").textContent);

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  const table = document.getElementById("suspect-table");
  if (table) setUpTable(table);
  setUpTips();
  setUpPicture();

  function setUpTable(table) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const status = document.getElementById("shown");
    const whole = status.textContent.trim();
    const search = document.getElementById("filter-text");
    const change = document.getElementById("filter-change");
    const more = document.getElementById("more");
    const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    let order = rows;
    let limit = PAGE;

    function draw() {
      const wanted = search.value.trim().toLowerCase();
      const fits = order.filter((row) =>
        (!wanted || words.get(row).includes(wanted)) &&
        (!change.value || row.dataset.change === change.value));
      const visible = new Set(fits.slice(0, limit));
      for (const row of rows) {
        row.hidden = !visible.has(row);
        if (row.hidden) close(row);
      }
      more.parentElement.hidden = fits.length <= limit;
      more.textContent = `Show more (${(fits.length - limit).toLocaleString("en")} left)`;
      const filtered = wanted || change.value;
      status.textContent = filtered ? `${fits.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} listed suspects fit.` : whole;
    }

    function sort(heading) {
      const falling = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const { key, kind } = heading.dataset;
      const read = (row) => {
        if (key === "doubt") return Number(row.dataset.doubt);
        const cell = row.querySelector(`[data-cell="${key}"]`);
        const text = cell.lastChild.textContent.trim();
        return kind === "number" ? Number(text) : text;
      };
      const values = new Map(rows.map((row) => [row, read(row)]));
      const compare = kind === "number"
        ? (a, b) => values.get(a) - values.get(b)
        : (a, b) => values.get(a).localeCompare(values.get(b), undefined, { numeric: true });
      order = [...rows].sort((a, b) => (falling ? -1 : 1) * compare(a, b));
      rows.forEach(close);
      body.append(...order);
      draw();
    }

    for (const heading of table.tHead.rows[0].cells) {
      if (!heading.dataset.key) continue;
      const button = make("button", heading.textContent, "sort");
      button.type = "button";
      button.addEventListener("click", () => sort(heading));
      heading.replaceChildren(button);
    }
    for (const row of rows) {
      const label = row.querySelector(".open");
      const button = make("button", label.textContent, "open");
      button.type = "button";
      button.setAttribute("aria-expanded", "false");
      button.setAttribute("aria-label", `Row ${label.textContent}: compare with its nearest rows`);
      button.addEventListener("click", () => (isOpen(row) ? close(row) : open(row)));
      label.replaceWith(button);
    }
    search.addEventListener("input", () => { limit = PAGE; draw(); });
    change.addEventListener("change", () => { limit = PAGE; draw(); });
    search.form.addEventListener("submit", (event) => event.preventDefault());
    more.addEventListener("click", () => { limit += 100; draw(); });
    table.addEventListener("show-row", (event) => {
      const row = event.target;
      if (row.hidden) { search.value = ""; change.value = ""; limit = rows.length; draw(); }
      open(row);
      rows.forEach((other) => other.classList.toggle("target", other === row));
      row.scrollIntoView({ block: "center" });
      row.querySelector(".open").focus({ preventScroll: true });
    });
    draw();
  }

  function isOpen(row) {
    return row.nextElementSibling?.classList.contains("detail") ?? false;
  }

  function close(row) {
    if (!isOpen(row)) return;
    row.nextElementSibling.remove();
    row.querySelector(".open").setAttribute("aria-expanded", "false");
  }

  function open(row) {
    if (isOpen(row)) return;
    const line = make("tr", undefined, "detail");
    const cell = make("td");
    cell.colSpan = row.cells.length;
    const suggested = row.querySelector("[data-cell=suggested] .label").textContent;
    cell.append(compare(row.dataset.at, suggested));
    line.append(cell);
    row.after(line);
    row.querySelector(".open").setAttribute("aria-expanded", "true");
  }

  function compare(at, suggested) {
    if (!details.rows[at]) return make("p", "The values of this row were not kept.");
    const shown = [at, ...details.near[at]].map((row) => details.rows[row]);
    const table = make("table");
    table.append(make("caption", "This row’s values and those of the rows nearest to it", "hidden"));
    const head = table.createTHead().insertRow();
    const corner = make("th", "Column");
    corner.scope = "col";
    head.append(corner);
    shown.forEach(([number, label], place) => {
      const heading = make("th", place ? `Row ${number}` : `This row, ${number}`);
      heading.scope = "col";
      const kind = label === shown[0][1] ? "old" : label === suggested ? "new" : "other";
      heading.append(make("span", label, `label ${kind}`));
      head.append(heading);
    });
    const body = table.createTBody();
    details.columns.forEach((name, column) => {
      const line = body.insertRow();
      const heading = make("th", name);
      heading.scope = "row";
      line.append(heading);
      for (const row of shown) line.append(make("td", row[column + 2]));
    });
    if (!details.columns.length) return make("p", "There are no values to show.");
    return table;
  }

  function setUpTips() {
    const tip = document.getElementById("tip");
    const show = (text, x, y) => {
      tip.textContent = text;
      tip.hidden = false;
      const box = tip.getBoundingClientRect();
      tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - box.width - 8))}px`;
      tip.style.top = `${y + box.height + 24 > innerHeight ? y - box.height - 12 : y + 16}px`;
    };
    document.addEventListener("pointermove", (event) => {
      const mark = event.target.closest?.("[data-tip]");
      if (mark) show(mark.dataset.tip, event.clientX, event.clientY);
      else tip.hidden = true;
    });
    document.addEventListener("focusin", (event) => {
      const mark = event.target.closest?.("[data-tip]");
      if (!mark) { tip.hidden = true; return; }
      const box = mark.getBoundingClientRect();
      show(mark.dataset.tip, box.right - 8, box.bottom - 12);
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
    document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
  }

  function setUpPicture() {
    const marks = [...document.querySelectorAll("#picture .chosen > g")].reverse();
    const visit = (mark) => {
      const row = table?.querySelector(`tr[data-at="${mark.dataset.at}"]`);
      row?.dispatchEvent(new Event("show-row", { bubbles: true }));
    };
    marks.forEach((mark, place) => {
      mark.addEventListener("click", () => visit(mark));
      mark.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (event.key === "Enter") visit(mark);
        if (!step) return;
        event.preventDefault();
        mark.tabIndex = -1;
        const next = marks.at((place + step) % marks.length);
        next.tabIndex = 0;
        next.focus();
      });
    });
  }
})();
