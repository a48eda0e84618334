// How does a phone join: whose is it, and does it know the table's code?

import { fromAddress, post } from "./enter.js";

const $ = (id) => document.getElementById(id);

$("code").value = fromAddress("code") ?? "";
$("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const seat = document.querySelector("[name=seat]:checked").value;
  const error = await post("/join", { code: $("code").value, seat });
  if (!error) location.assign("/");
  $("fault").textContent = error;
  $("fault").hidden = !error;
});
