// What does a browser show when the table is gone? A page that says so: the only thing that is kept, besides its files.
// The table writes SHELL above this line: the name of the cache, the page and its files.

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(SHELL.offline)));
  else if (SHELL.files.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function fill() {
  const cache = await caches.open(SHELL.name);
  await cache.addAll(SHELL.files.map((file) => new Request(file, { cache: "reload", credentials: "omit" })));
  await self.skipWaiting();
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL.name).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(path) {
  const cache = await caches.open(SHELL.name);
  return (await cache.match(path)) ?? Response.error();
}
