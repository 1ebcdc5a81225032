// The page's own script: regions in, taps out, a veil when the server is silent. It knows nothing of the game.
"use strict";

const SILENT_AFTER = 3000; // milliseconds without a word from the server
const AGAIN_AFTER = 400; // milliseconds between two attempts to connect

const veil = document.getElementById("veil");
let socket = null;
let stage = "";
let heard = 0;
let alarm = "";
let audio = null;
let taps = 0;

// A tab keeps its number over a reload, so that what it had open is still open.
const tab = sessionStorage.getItem("tab") || Math.random().toString(36).slice(2);
sessionStorage.setItem("tab", tab);

function connect() {
  const here = new URL(document.body.dataset.socket, location.href);
  here.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  here.searchParams.set("tab", tab);
  const lang = new URLSearchParams(location.search).get("lang");
  if (lang) here.searchParams.set("lang", lang);
  socket = new WebSocket(here);
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    cover();
    if (event.code === 4401) location.reload();
    setTimeout(connect, AGAIN_AFTER);
  };
}

function receive(message) {
  heard = performance.now();
  if (message.lost) return cover();
  document.body.classList.remove("veiled");
  if (message.lang) document.documentElement.lang = message.lang;
  if (message.regions) {
    stage = message.stage;
    for (const [name, html] of Object.entries(message.regions)) draw(document.getElementById(name), html);
    for (const key of document.querySelectorAll(".tapped")) key.classList.remove("tapped");
    document.body.dataset.seq = message.seq;
    clock();
    listen();
  }
}

// Changes only what differs, so that a card costs the browser a card and not a felt.
function draw(region, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  match(region, template.content);
}

function match(old, fresh) {
  let here = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    if (!here) {
      old.append(node);
      continue;
    }
    const next = here.nextSibling;
    if (here.nodeName !== node.nodeName) here.replaceWith(node);
    else if (node.nodeType !== Node.ELEMENT_NODE) here.data === node.data || (here.data = node.data);
    else if (!here.isEqualNode(node)) {
      for (const { name } of [...here.attributes]) if (!node.hasAttribute(name)) here.removeAttribute(name);
      for (const { name, value } of node.attributes) if (here.getAttribute(name) !== value) here.setAttribute(name, value);
      match(here, node);
    }
    here = next;
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

// One short tone when a halt begins, once it is on the screen; never the only sign of it.
function listen() {
  const now = document.querySelector("[data-alarm]")?.dataset.alarm || "";
  if (now && now !== alarm && audio) requestAnimationFrame(() => setTimeout(beep, 20));
  alarm = now;
}

function beep() {
  const tone = audio.createOscillator();
  tone.frequency.value = 660;
  tone.connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.18);
}

// A browser makes sound only after a tap, and takes long to begin: not when a halt has come.
function warm() {
  try {
    audio ||= new AudioContext();
  } catch {
    // A kiosk without sound: the halt is on the screen all the same.
  }
}

function cover() {
  document.body.classList.add("veiled");
}

function clock() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  for (const at of document.querySelectorAll("[data-clock]"))
    at.textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
}

document.addEventListener("pointerdown", (event) => {
  const key = event.target.closest("[data-act]");
  if (!key || event.button > 0 || document.body.classList.contains("veiled")) return;
  event.preventDefault();
  if (!audio) setTimeout(warm, 200);
  if (!socket || socket.readyState !== WebSocket.OPEN) return cover();
  key.classList.add("tapped");
  const args = JSON.parse(key.dataset.args || "{}");
  socket.send(JSON.stringify({ id: `${tab}-${Date.now()}-${++taps}`, act: key.dataset.act, args, stage }));
});

document.addEventListener("contextmenu", (event) => event.preventDefault());

setInterval(() => {
  clock();
  if (heard && performance.now() - heard > SILENT_AFTER) {
    cover();
    if (socket && socket.readyState === WebSocket.OPEN) socket.close();
    heard = performance.now();
  }
}, 500);

connect();
