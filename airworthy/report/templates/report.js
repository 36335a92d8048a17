"use strict";
// The page is complete without this script, which filters rules, opens linked rules and copies commands.
(() => {
  const rules = [...document.querySelectorAll(".rule")];
  const areas = [...document.querySelectorAll(".area")];
  const toggles = [...document.querySelectorAll("[data-toggle]")];
  const search = document.getElementById("search");
  const area = document.getElementById("area");
  const count = document.getElementById("count");
  const opened = new Map(areas.map((each) => [each, each.open]));
  const texts = new Map(rules.map((rule) => [rule, rule.textContent.toLowerCase()]));

  const filter = () => {
    const verdicts = toggles.filter((toggle) => toggle.getAttribute("aria-pressed") === "true");
    const chosen = new Set(verdicts.map((toggle) => toggle.dataset.toggle));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const rule of rules) {
      const fits =
        (chosen.size === 0 || chosen.has(rule.dataset.verdict)) &&
        (area.value === "" || rule.dataset.area === area.value) &&
        words.every((word) => texts.get(rule).includes(word));
      rule.hidden = !fits;
      shown += fits;
    }
    for (const each of areas) {
      each.hidden = !each.querySelector(".rule:not([hidden])");
      each.open = shown < rules.length || opened.get(each);
    }
    const noun = count.dataset.noun || "rules";
    count.textContent = shown === rules.length ? `${shown} ${noun}` : `${shown} of ${rules.length} ${noun}`;
    document.getElementById("nothing").hidden = shown > 0;
  };

  const reset = () => {
    for (const toggle of toggles) toggle.setAttribute("aria-pressed", "false");
    search.value = "";
    area.value = "";
    filter();
  };

  // A link to a rule shows the rule even if the filter hides it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches(".rule, .area")) return;
    if (target.hidden) reset();
    target.open = target.closest(".area").open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  };

  for (const toggle of toggles) {
    toggle.addEventListener("click", () => {
      toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  search.addEventListener("input", filter);
  area.addEventListener("change", filter);
  document.getElementById("reset").addEventListener("click", reset);
  document.getElementById("expand").addEventListener("click", () => {
    const visible = rules.filter((rule) => !rule.hidden);
    const open = visible.some((rule) => !rule.open);
    for (const each of [...visible, ...areas]) each.open = open;
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      reset();
    }
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const command = button.previousElementSibling;
      getSelection().selectAllChildren(command);
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Press Ctrl+C";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }

  // Scroll the line at fault into view: of what is open already, and of each request or response that is opened later.
  const showMarked = (element) => {
    for (const message of element.querySelectorAll("pre")) {
      const marked = message.querySelector(".marked");
      if (marked) message.scrollTop = marked.offsetTop - message.offsetTop - message.clientHeight / 3;
    }
  };
  showMarked(document);
  document.addEventListener("toggle", (event) => showMarked(event.target), true);

  // Open the rules that did not pass for printing.
  const closed = [];
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details[data-print]:not([open])")) {
      each.open = true;
      closed.push(each);
    }
  });
  addEventListener("afterprint", () => {
    for (const each of closed.splice(0)) each.open = false;
  });

  addEventListener("hashchange", follow);
  if (rules.length > 0) {
    document.getElementById("toolbar").hidden = false;
    filter();
  }
  follow();
})();
