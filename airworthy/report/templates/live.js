"use strict";
// Without this script, the page shows the list as it was when it was loaded.
(() => {
  const INTERVAL = 1000;
  const main = document.querySelector("main");
  const connection = document.getElementById("connection");
  const connected = connection.textContent;

  const say = (text) => {
    connection.textContent = text;
    connection.className = text === connected ? "muted" : "banner";
  };

  const refresh = async () => {
    try {
      const response = await fetch("/", { cache: "no-store" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const now = page.querySelector("main");
      if (now.innerHTML !== main.innerHTML) main.replaceChildren(...now.childNodes);
      say(connected);
    } catch {
      say("The proxy does not respond. This is what it showed last.");
    }
    setTimeout(refresh, INTERVAL);
  };

  setTimeout(refresh, INTERVAL);
})();
