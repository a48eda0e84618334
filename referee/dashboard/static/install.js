// How does a browser learn to say that the table is gone? Where it may not (an address it does not trust), it is no loss.

navigator.serviceWorker?.register("/sw.js").catch(() => {});
