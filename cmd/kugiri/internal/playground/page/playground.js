// Runs Kugiri in the page, has it answer the console's requests, and starts the console.

const began = performance.now();
const consolePath = "/_kugiri/console/";

const go = new Go();
const program = await fetch("kugiri.wasm.gz");
if (!program.ok) throw new Error(`kugiri.wasm.gz: ${program.status}`);
const wasm = new Response(program.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
const { instance } = await WebAssembly.instantiateStreaming(wasm, go.importObject);
go.run(instance);

window.fetch = async (path, init) => {
  const url = new URL(path, location.origin + consolePath);
  const request = new Request(url, init);
  const body = new Uint8Array(await request.arrayBuffer());
  const answer = await kugiri.request(request.method, url.pathname + url.search, Object.fromEntries(request.headers), body);
  request.signal.throwIfAborted();
  const empty = answer.status === 204 || answer.status === 304;
  return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers });
};

const dialog = document.querySelector("#policy");
const text = dialog.querySelector("textarea");
const fault = dialog.querySelector("output");
const open = document.querySelector("#open-policy");
const openPolicy = () => {
  open.focus(); // which has the focus again after the dialog
  dialog.showModal();
};
open.addEventListener("click", openPolicy);
open.disabled = false;
dialog.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const choice = event.submitter.value;
  fault.value = choice === "cancel" ? "" : ((await kugiri.begin(choice === "apply" ? text.value : "")) ?? "");
  if (fault.value) return;
  dialog.close();
  if (choice === "cancel") return;
  sessionStorage.setItem("kugiri.playground.policy", choice === "apply" ? text.value : "");
  location.hash = "#/";
  location.reload();
});

// The guide shows itself once, and marks the steps that somebody has taken.
const guide = document.querySelector("#guide");
const showGuide = (on) => {
  guide.hidden = !on;
  if (!on) localStorage.setItem("kugiri.playground.guide", "seen"); // asked for again, it is shown
};
const openGuide = document.querySelector("#open-guide");
openGuide.addEventListener("click", () => showGuide(guide.hidden));
document.querySelector("#close-guide").addEventListener("click", () => {
  showGuide(false);
  openGuide.focus();
});
const isNarrow = matchMedia("(max-width: 720px)"); // as in playground.css: the guide lies over the page
for (const step of guide.querySelectorAll("li")) step.querySelector("a, button").addEventListener("click", () => step.classList.add("done"));
for (const link of guide.querySelectorAll("a")) link.addEventListener("click", () => {
  if (!isNarrow.matches) return;
  showGuide(false);
  document.querySelector("#main").focus();
});
document.querySelector("#guide-policy").addEventListener("click", () => {
  showGuide(false);
  openPolicy();
});

const kept = sessionStorage.getItem("kugiri.playground.policy");
if (kept) {
  text.value = kept;
  await kugiri.begin(kept);
}
document.querySelector("#loading").remove();
await import("./main.js");
if (localStorage.getItem("kugiri.playground.guide") === null) showGuide(true);
document.documentElement.dataset.started = String(Math.round(performance.now() - began));
