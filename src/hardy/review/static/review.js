"use strict";
// What was sent is not to be lost to the key after it, which would lead elsewhere.
let isSent = false;
document.addEventListener("submit", () => {
  isSent = true;
});
window.addEventListener("pageshow", () => {
  isSent = false;
});
// Keys press the buttons that show them.
document.addEventListener("keydown", (event) => {
  if (document.body.dataset.keys === "off") {
    return;
  }
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "Escape" && typing) {
    event.target.blur();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!target) {
    return;
  }
  event.preventDefault();
  if (isSent) {
    return;
  }
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) {
    box.open = true;
  }
  if (target.matches("input, textarea")) {
    target.focus();
  } else {
    target.click();
  }
});
// Screen readers tell what comes into a status, not what it holds when the page opens.
const saved = document.querySelector("#saved");
if (saved?.childNodes.length) {
  const parts = [...saved.childNodes];
  saved.replaceChildren();
  setTimeout(() => saved.replaceChildren(...parts), 100);
}
