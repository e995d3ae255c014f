// The service worker: the page opens without a network. VERSION and SHELL are filled in by the build.
const KEPT = `projectl-${"VERSION"}`;
const FILES = ["SHELL"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("projectl-") && name !== KEPT;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

// A page: from the server while there is one. Hashed files never change: from here first.
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname === "/api/cards") event.respondWith(fromServer(request));
  if (url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/")));
  } else if (url.pathname.startsWith("/assets/") || FILES.includes(url.pathname)) {
    event.respondWith(fromCache(request));
  }
});

// The cards are needed to draw the last state of a table.
async function fromServer(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(KEPT)).put(request, answer.clone());
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

async function fromCache(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

// What the page loaded before the worker was there.
addEventListener("message", (event) => {
  const urls = (event.data?.keep ?? []).filter((url) => new URL(url).origin === location.origin);
  event.waitUntil(
    caches.open(KEPT).then((cache) =>
      Promise.all(urls.map(async (url) => (await cache.match(url)) || cache.add(url).catch(() => {}))),
    ),
  );
});

// A tap on "your turn" brings the table to the front.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.path ?? "/";
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((open) => {
      const here = open.find((client) => new URL(client.url).pathname === path) ?? open[0];
      return here ? here.focus() : clients.openWindow(path);
    }),
  );
});
