"use strict";
// The page shows credentials, routes and cards without this script. The script asks the sandbox for its state once a
// second, and shows text from requests only as text.
(() => {
  const MOST_REQUESTS = 100;
  const INTERVAL = 1000;
  const SLOW_INTERVAL = 5000;
  const byId = (id) => document.getElementById(id);
  const list = byId("request-list");
  const onlyRejected = byId("only-rejected");
  const pause = byId("pause");
  const dialect = byId("dialect");
  let log = "";
  let last = 0;
  let faults = [];
  let served = dialect.value;
  let timer = 0;
  const shown = new Map();

  const element = (tag, className, ...children) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children.filter((each) => each !== ""));
    return made;
  };
  const paused = () => pause.getAttribute("aria-pressed") === "true";
  const time = (text) => text.replace("T", " ").replace(/\+00:00$/, "");
  const tone = (status) => (status >= 200 && status < 400 ? "good" : "bad");

  const problem = (text) => {
    byId("problem").textContent = text;
    byId("problem").hidden = text === "";
  };

  const receive = async (path, options) => {
    const response = await fetch(path, options);
    const found = await response.json();
    if (!response.ok) throw new Error(found.message || `The sandbox responded with status ${response.status}.`);
    return found;
  };

  const change = async (path, values, button) => {
    if (button) button.disabled = true;
    try {
      await receive(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(values),
      });
      problem("");
    } catch (error) {
      problem(error.message);
    }
    if (button) button.disabled = false;
    await refresh();
  };

  // Requests

  const side = (title, first, message) => {
    const lines = [first, ...message.headers.map(([name, value]) => `${name}: ${value}`)];
    const text = lines.join("\n") + (message.body ? `\n\n${message.body}` : "");
    const block = element("pre", "", text);
    block.tabIndex = 0;
    block.setAttribute("aria-label", title);
    return element("div", "", element("h3", "", title), block);
  };

  const open = async (entry, number) => {
    if (!entry.open || entry.querySelector(".exchange")) return;
    const exchange = element("div", "exchange");
    entry.append(exchange);
    try {
      const found = await receive(`/sandbox/requests/${number}`);
      const target = found.query ? `${found.path}?${found.query}` : found.path;
      if (found.rule) {
        const rule = element("code", "", found.rule);
        exchange.append(element("p", "rule", "Rule ", rule, ": ", element("code", "", `airworthy rules ${found.rule}`)));
      }
      exchange.append(side("Request", `${found.method} ${target}`, found.sent));
      exchange.append(side("Response", String(found.status || "no response"), found.received));
    } catch (error) {
      exchange.append(element("p", "bad", error.message));
    }
  };

  const requestEntry = (request) => {
    const entry = element("details", "");
    const summary = element(
      "summary",
      "",
      element("span", "muted", time(request.time).slice(11)),
      element("span", `status ${tone(request.status)}`, String(request.status || "none")),
      element("span", "what", `${request.method} ${request.path}`),
      element("span", "muted took", `${request.milliseconds} ms`),
    );
    if (request.reason) {
      const rule = request.rule ? [" ", element("code", "", request.rule)] : [];
      summary.append(element("span", "why", request.reason, ...rule));
    }
    entry.append(summary);
    entry.dataset.rejected = String(Boolean(request.reason) || tone(request.status) === "bad");
    entry.addEventListener("toggle", () => open(entry, request.number));
    return entry;
  };

  const filter = () => {
    let visible = 0;
    for (const entry of shown.values()) {
      entry.hidden = onlyRejected.checked && entry.dataset.rejected !== "true";
      visible += !entry.hidden;
    }
    byId("no-requests").hidden = visible > 0;
  };

  const showRequests = (recorded) => {
    if (recorded === null) {
      byId("no-requests").textContent = "This sandbox does not record requests. One that is started with airworthy sandbox does.";
      return;
    }
    if (recorded.id !== log) {
      log = recorded.id;
      last = 0;
      shown.clear();
      list.replaceChildren();
    }
    for (const request of recorded.requests) {
      if (request.number <= last) continue;
      last = request.number;
      const entry = requestEntry(request);
      shown.set(request.number, entry);
      list.prepend(entry);
    }
    while (shown.size > MOST_REQUESTS) {
      const [oldest] = shown.keys();
      shown.get(oldest).remove();
      shown.delete(oldest);
    }
    filter();
  };

  // Records: a list is replaced only if it has changed, so that focus and open e-mails stay.

  const showList = (id, records, build, empty) => {
    const target = byId(id);
    const key = JSON.stringify(records);
    if (target.dataset.key === key) return;
    target.dataset.key = key;
    const items = records.map((each) => element("li", "record", ...build(each)));
    target.replaceChildren(...(items.length ? items : [element("li", "muted", empty)]));
  };

  const line = (record, id) => [
    element("p", "", id, " ", element("span", `status ${record.status === "FAILED" ? "bad" : "good"}`, record.status)),
    element("p", "muted", `${record.route}, ${record.total}${record.locator ? `, record locator ${record.locator}` : ""}`),
    element("p", "muted", time(record.created)),
  ];

  const order = (record) => line(record, element("code", "", record.id));

  const booking = (record) => {
    const link = element("a", "", element("code", "", record.id));
    link.href = `/lookup?reference=${encodeURIComponent(record.id)}`;
    return line(record, element("span", "", link, ` ${record.version}`));
  };

  const email = (record) => {
    const text = element("pre", "", record.text);
    text.tabIndex = 0;
    text.setAttribute("aria-label", "Text of the e-mail");
    const attached = element("p", "muted", `Attached: ${record.attachments.join(", ") || "nothing"}`);
    const heading = element("summary", "", element("p", "", record.subject), element("p", "muted", `To ${record.to}`));
    return [element("details", "", heading, text, attached)];
  };

  // Clock, dialect and faults

  const duration = (seconds) => {
    const minutes = Math.round(seconds / 60);
    const parts = [
      [Math.floor(minutes / 1440), "d"],
      [Math.floor(minutes / 60) % 24, "h"],
      [minutes % 60, "min"],
    ];
    return parts.filter(([number]) => number).map(([number, unit]) => `${number} ${unit}`).join(" ") || `${seconds} s`;
  };

  const describeDialect = () => {
    byId("dialect-description").textContent = dialect.selectedOptions[0]?.dataset.description || "";
  };

  const faultEntry = (name) => {
    const off = element("button", "small", "Switch off");
    off.type = "button";
    off.setAttribute("aria-label", `Switch off ${name}`);
    off.addEventListener("click", () => change("/sandbox/faults", { names: faults.filter((each) => each !== name) }, off));
    const option = [...byId("fault-names").options].find((each) => each.value === name);
    return [element("span", "", element("code", "", name), element("p", "muted", option?.textContent || "")), off];
  };

  const show = (state) => {
    byId("now").textContent = `${time(state.now)} UTC`;
    byId("moved").textContent = state.moved ? `moved forward by ${duration(state.moved)}` : "";
    if (state.dialect !== served) {
      dialect.value = served = state.dialect;
      describeDialect();
    }
    faults = state.faults;
    showList("faults", faults, faultEntry, "No fault is switched on.");
    showList("orders", state.orders, order, "No orders yet.");
    showList("bookings", state.bookings, booking, "No bookings yet.");
    showList("emails", state.emails, email, "No e-mails yet.");
    byId("record-count").textContent = state.orders.length + state.bookings.length + state.emails.length;
    if (!paused()) showRequests(state.log);
  };

  // Tabs: arrow keys select the next one

  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const select = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    });
  }

  // Polling: one request at a time, none while the page is hidden

  const refresh = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    let interval = INTERVAL;
    try {
      const state = await receive(`/sandbox/state?after=${last}&log=${log}`);
      show(state);
      byId("connection").textContent = "";
    } catch {
      byId("connection").textContent = "The sandbox does not respond.";
      interval = SLOW_INTERVAL;
    }
    clearTimeout(timer);
    timer = setTimeout(refresh, interval);
  };

  for (const button of document.querySelectorAll("[data-seconds]")) {
    button.addEventListener("click", () => change("/sandbox/clock", { seconds: Number(button.dataset.seconds) }, button));
  }
  byId("dialect-form").addEventListener("submit", (event) => {
    event.preventDefault();
    change("/sandbox/dialect", { name: dialect.value }, event.submitter);
  });
  dialect.addEventListener("change", describeDialect);
  byId("fault-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = byId("fault").value.trim();
    if (!name) return;
    await change("/sandbox/faults", { names: [...faults.filter((each) => each !== name), name] }, event.submitter);
    if (faults.includes(name)) byId("fault").value = "";
  });
  pause.addEventListener("click", () => {
    pause.setAttribute("aria-pressed", String(!paused()));
    refresh();
  });
  onlyRejected.addEventListener("change", filter);
  document.addEventListener("visibilitychange", refresh);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      const text = button.previousElementSibling || button.closest(".program").querySelector("pre");
      getSelection().selectAllChildren(text);
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });

  document.documentElement.classList.add("live");
  byId("controls").hidden = byId("live").hidden = false;
  describeDialect();
  refresh();
})();
