// How is the newest thing undone, and who is asked before a vote is?

const $ = (id) => document.getElementById(id);

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
    $("sheet-agree-title").textContent = fault.message;
    $("agreed").onclick = () => sheets.ask({ do: "undo", of: fault.of });
    sheets.show("agree");
  }
}
