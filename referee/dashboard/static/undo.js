// How is the newest thing undone, and who is asked before a vote is?

import { say } from "./words.js";

/** Undo the newest thing, and call `done`; where it is somebody's vote, everybody has to agree. */
export async function undo(sheets, done) {
  try {
    await sheets.send({ do: "undo" });
    done();
  } catch (fault) {
    if (!fault.of) {
      sheets.tell(fault.message);
      return;
    }
    const message = { do: "undo", of: fault.of };
    sheets.confirm(message, { title: fault.message, note: say("agree"), yes: say("agreed") });
  }
}
