"use strict";
const search = document.getElementById("search");
const items = [...document.querySelectorAll("details")].map(e => ({ e, text: e.textContent.toLowerCase() }));
search.hidden = false;
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(w => w);
  for (const i of items) i.e.hidden = !words.every(w => i.text.includes(w));
  for (const s of document.querySelectorAll("section")) s.hidden = !s.querySelector("details:not([hidden])");
});
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== search) { e.preventDefault(); search.focus(); }
});
window.addEventListener("beforeprint", () => items.forEach(i => { i.e.open = true; }));
if (items.length <= 20) items.forEach(i => { i.e.open = true; });
