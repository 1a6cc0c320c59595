"use strict";
// Fade all edges but the strongest ones, as many as a slider says. Without scripts there is no slider.
(() => {
  const tool = document.querySelector("[data-strength]");
  if (!tool) return;
  const { figure } = picture;
  const graph = JSON.parse(figure.dataset.graph);
  const strength = graph.strength;
  const slider = tool.querySelector("input");
  const said = tool.querySelector("output");
  const byStrength = strength.map((_, i) => i).sort((a, b) => strength[b] - strength[a] || a - b);
  tool.hidden = false;

  function fade() {
    const strong = new Set(byStrength.slice(0, Number(slider.value)));
    const ends = new Set([...strong].flatMap((i) => graph.edges[i]));
    const all = strong.size === strength.length;
    strength.forEach((_, i) => {
      const weak = !strong.has(i);
      document.getElementById(`edge-${i}`).classList.toggle("weak", weak);
      document.querySelector(`tr[data-edge="${i}"]`)?.classList.toggle("weak", weak);
    });
    graph.nodes.forEach((_, i) => document.getElementById(`node-${i}`).classList.toggle("weak", !all && !ends.has(i)));
    const least = strength[byStrength[strong.size - 1]];
    said.textContent = all ? `all ${strong.size}` : `${strong.size} of ${strength.length}, from ${Number(least.toPrecision(3))}`;
    slider.setAttribute("aria-valuetext", said.textContent);
  }
  slider.addEventListener("input", fade);
  fade();
})();
