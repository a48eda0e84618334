// How does the sheet of the house's rules get onto paper?

document.getElementById("print").addEventListener("click", () => print());
