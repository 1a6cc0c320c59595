"use strict";
// Tie each edge of the picture to its row, and show a node's Markov blanket.
(() => {
  const { figure, svg, show } = picture;
  const graph = JSON.parse(figure.dataset.graph);
  const readout = figure.querySelector(".readout");
  const nodes = graph.nodes.map((_, i) => document.getElementById(`node-${i}`));
  const edges = graph.edges.map((_, i) => document.getElementById(`edge-${i}`));
  const rows = new Map([...document.querySelectorAll("tr[data-edge]")].map((row) => [Number(row.dataset.edge), row]));
  const fewEnoughToStep = graph.nodes.length <= 150;
  let picked = null;

  const say = () => { readout.textContent = picked === null ? "" : `${graph.nodes[picked].name}: ${graph.nodes[picked].said}`; };

  function light(i, on) {
    for (const part of [edges[i], rows.get(i), ...graph.edges[i].map((node) => nodes[node])]) part?.classList.toggle("lit", on);
    if (!on) return say();
    const { name, evidence } = rows.get(i).dataset;
    readout.textContent = `${name}: ${evidence}`;
  }
  function pick(i) {
    picked = i === picked ? null : i;
    svg.classList.toggle("picking", picked !== null);
    const near = new Set(picked === null ? [] : [picked, ...graph.nodes[picked].blanket]);
    nodes.forEach((node, j) => {
      node.classList.toggle("near", near.has(j));
      node.classList.toggle("picked", j === picked);
      node.setAttribute("aria-pressed", j === picked);
    });
    edges.forEach((edge, j) => edge.classList.toggle("near", graph.edges[j].every((node) => near.has(node))));
    say();
  }
  // The browser's own hint would cover ours; its text becomes the label that screen readers say.
  function label(part) {
    const title = part.querySelector("title");
    part.setAttribute("aria-label", title.textContent);
    title.remove();
    if (fewEnoughToStep) part.setAttribute("tabindex", "0");
  }

  edges.forEach((edge, i) => {
    label(edge);
    edge.setAttribute("role", "img");
    const wide = edge.querySelector("path").cloneNode();
    wide.removeAttribute("stroke");
    wide.removeAttribute("stroke-width");
    wide.classList.add("target");
    edge.append(wide);
    for (const part of [edge, rows.get(i)]) {
      for (const name of ["pointerenter", "focus"]) part.addEventListener(name, () => light(i, true));
      for (const name of ["pointerleave", "blur"]) part.addEventListener(name, () => light(i, false));
    }
    edge.addEventListener("click", () => rows.get(i).scrollIntoView({ block: "nearest" }));
  });
  nodes.forEach((node, i) => {
    label(node);
    node.setAttribute("role", "button");
    node.setAttribute("aria-pressed", "false");
    node.addEventListener("click", () => pick(i));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick(i);
    });
  });
  svg.querySelectorAll("title").forEach((title) => title.textContent || title.remove());
  figure.addEventListener("keydown", (event) => { if (event.key === "Escape" && picked !== null) pick(picked); });

  // A whole name, or the only one with these letters, is shown at once; Enter goes from one to the next.
  const find = figure.querySelector("[data-find]");
  const wanted = () => find.value.trim().toLowerCase();
  const matches = () => graph.nodes.flatMap(({ name }, i) => (wanted() && name.toLowerCase().includes(wanted()) ? [i] : []));
  function go(i) {
    if (picked !== i) pick(i);
    show(nodes[i]);
  }
  find.addEventListener("input", () => {
    const found = matches();
    const whole = found.find((i) => graph.nodes[i].name.toLowerCase() === wanted());
    nodes.forEach((node) => node.classList.remove("found"));
    found.forEach((i) => nodes[i].classList.add("found"));
    if (whole !== undefined || found.length === 1) return go(whole ?? found[0]);
    if (picked !== null) pick(picked);
    const names = found.slice(0, 12).map((i) => graph.nodes[i].name).join(", ") + (found.length > 12 ? ", …" : "");
    if (wanted()) readout.textContent = found.length ? `${found.length} nodes: ${names}. Enter goes from one to the next.` : "No node has these letters in its name.";
  });
  find.addEventListener("keydown", (event) => {
    const found = matches();
    if (event.key === "Enter" && found.length) go(found[(found.indexOf(picked) + 1) % found.length]);
  });
})();
