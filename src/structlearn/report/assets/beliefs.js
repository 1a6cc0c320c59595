"use strict";
// Click a state to take it as known: all bars show what is then believed. Numbers were computed beforehand.
(() => {
  const figure = document.querySelector("[data-findings]");
  if (!figure) return;
  const { nodes, prior, after } = JSON.parse(figure.dataset.findings);
  const said = figure.querySelector(".tools output");
  const forget = figure.querySelector("[data-forget]");
  const firsts = nodes.map((_, i) => nodes.slice(0, i).reduce((sum, node) => sum + node.states.length, 0));
  const part = (name, i, j) => document.getElementById(`a_${name}-${i}-${j}`);
  const drawn = nodes.map((node, i) => node.states.map((_, j) => bar(i, j)));
  let known = null;
  nodes.forEach((node, i) => {
    const texts = node.states.map((_, j) => part("share", i, j)?.querySelector("text")).filter(Boolean);
    const right = Math.max(...texts.map((text) => Number(text.getAttribute("x")) + text.getComputedTextLength()));
    for (const text of texts) { text.setAttribute("x", right); text.setAttribute("text-anchor", "end"); }
  });

  function bar(i, j) {
    const parts = part("bar", i, j)?.querySelectorAll("polygon");
    if (!parts) return null; // of a node with many states only the first are drawn
    const points = [...parts].flatMap((shape) => [...shape.points]);
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    return { parts, left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
  }
  function box(shape, from, to, { low, high }) {
    shape.setAttribute("points", `${from},${low} ${to},${low} ${to},${high} ${from},${high}`);
  }
  function show() {
    const shares = known === null ? prior : after[firsts[known.i] + known.j];
    nodes.forEach((node, i) => {
      document.getElementById(`belief-${i}`).classList.toggle("known", known?.i === i);
      node.states.forEach((_, j) => {
        const own = drawn[i][j];
        if (!own) return;
        const end = own.left + (own.right - own.left) * shares[i][j];
        own.parts.forEach((shape, k) => shape.classList.add(k ? "track" : "bar"));
        box(own.parts[0], own.left, end, own);
        box(own.parts[1], end, own.right, own);
        part("share", i, j).querySelector("text").textContent = `${(100 * shares[i][j]).toFixed(1)}%`;
        part("state", i, j).setAttribute("aria-pressed", known?.i === i && known.j === j);
      });
    });
    said.textContent = known === null ? "Nothing is known." : `Known: ${nodes[known.i].name} = ${nodes[known.i].states[known.j]}.`;
    forget.disabled = known === null;
  }
  function take(i, j) {
    if (prior[i][j] === 0) { said.textContent = `${nodes[i].name} = ${nodes[i].states[j]} is impossible in this model.`; return; }
    known = known?.i === i && known.j === j ? null : { i, j };
    show();
  }
  nodes.forEach((node, i) => node.states.forEach((state, j) => {
    if (!drawn[i][j]) return;
    for (const name of ["state", "bar", "share"]) {
      const group = part(name, i, j);
      group.classList.add("choice");
      group.addEventListener("click", () => take(i, j));
    }
    const label = part("state", i, j);
    label.setAttribute("tabindex", "0");
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", `${node.name} = ${state}`);
    label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      take(i, j);
    });
  }));
  forget.addEventListener("click", () => { known = null; show(); });
  show();
})();
