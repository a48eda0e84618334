// How does the newest picture of the table get onto a canvas?

const PATIENCE = 3000; // milliseconds; a connection that was forgotten would be waited for for ever

/**
 * Show the newest picture on `canvas` if it is newer than number `after`; with `drawn`, what the eye knows is drawn in.
 * The answer: its number (`after` when there was none newer, 0 when no picture shows the table as it is now), and
 * whether we may look at all.
 */
export async function showNewest(canvas, after, drawn = false) {
  const address = `/picture?after=${after}${drawn ? "&drawn=true" : ""}`;
  const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  const number = Number(answer.headers.get("x-picture") ?? after);
  if (answer.status !== 200) return { number, allowed: answer.status !== 403 };
  const bitmap = await createImageBitmap(await answer.blob());
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.dataset.number = number;
  return { number, allowed: true };
}
