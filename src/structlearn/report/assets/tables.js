"use strict";
// Filter the edges by name, and sort them by any column.
(() => {
  const field = document.querySelector("[data-filter]");
  const table = document.querySelector("[data-sortable]");
  if (!field || !table) return;
  const body = table.tBodies[0];
  const count = document.querySelector("[data-count]");
  const all = count.textContent;

  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
      shown += !row.hidden;
    }
    count.textContent = wanted ? `${shown.toLocaleString("en")} of ${all}` : all;
  });

  const valueIn = (row, column) => {
    const cell = row.cells[column];
    if (!cell.classList.contains("number")) return cell.textContent;
    return "value" in cell.dataset ? Number(cell.dataset.value) : -Infinity;
  };
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("button")?.parentElement;
    if (!head) return;
    const direction = head.ariaSort === "ascending" ? -1 : 1;
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const order = (a, b) => (a < b ? -direction : a > b ? direction : 0);
    const rows = [...body.rows].sort((a, b) => order(valueIn(a, head.cellIndex), valueIn(b, head.cellIndex)));
    body.append(...rows);
  });
})();
