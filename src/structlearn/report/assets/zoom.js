"use strict";
// Zoom by wheel, buttons and keys; move by dragging and arrow keys. Without scripts the picture stands still.
const picture = (() => {
  const figure = document.querySelector(".picture");
  const frame = figure.querySelector(".frame");
  const svg = frame.querySelector("svg");
  const view = document.createElementNS(svg.namespaceURI, "g");
  view.id = "view";
  view.append(...svg.childNodes);
  svg.append(view);
  svg.removeAttribute("style");
  svg.setAttribute("role", "presentation");

  const state = { scale: 1, x: 0, y: 0 };
  const draw = () => view.setAttribute("transform", `translate(${state.x} ${state.y}) scale(${state.scale})`);
  const inPicture = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  const centre = () => {
    const box = frame.getBoundingClientRect();
    return inPicture(box.x + box.width / 2, box.y + box.height / 2);
  };

  function zoom(factor, at = centre()) {
    const scale = Math.min(40, Math.max(0.5, state.scale * factor));
    const change = scale / state.scale;
    state.x = at.x - (at.x - state.x) * change;
    state.y = at.y - (at.y - state.y) * change;
    state.scale = scale;
    draw();
  }
  function move(dx, dy) {
    const unit = svg.getScreenCTM().a;
    state.x += dx / unit;
    state.y += dy / unit;
    draw();
  }
  function reset() {
    Object.assign(state, { scale: 1, x: 0, y: 0 });
    draw();
  }
  // Bring a part of the picture to the middle, large enough to read its name.
  function show(part) {
    reset();
    const readable = 16 / (11 * svg.getScreenCTM().a);
    if (readable > 1) zoom(readable);
    const box = part.getBoundingClientRect();
    const around = frame.getBoundingClientRect();
    move(around.x + around.width / 2 - box.x - box.width / 2, around.y + around.height / 2 - box.y - box.height / 2);
  }

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    zoom(Math.exp(-pixels * 0.0016), inPicture(event.clientX, event.clientY));
  }, { passive: false });

  let held = null;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.pointerType !== "touch") held = { x: event.clientX, y: event.clientY, moved: false };
  });
  frame.addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < 4) return;
    if (!held.moved) frame.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, moved: true };
    frame.classList.add("dragged");
    move(dx, dy);
  });
  const release = () => { held = null; frame.classList.remove("dragged"); };
  frame.addEventListener("pointerup", release);
  frame.addEventListener("pointercancel", release);
  window.addEventListener("pointerup", release);

  const doings = { in: () => zoom(1.35), out: () => zoom(1 / 1.35), reset };
  figure.addEventListener("click", (event) => doings[event.target.dataset.zoom]?.());
  const keys = {
    "+": doings.in, "=": doings.in, "-": doings.out, "0": reset,
    ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
  };
  frame.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  return { figure, frame, svg, show };
})();
