"""plant.py COMMAND [IDS...]: plant each breach in a copy of its recording, audit it, write RESULTS.md (only without IDS)."""
import json, os, subprocess, sys
import breaches6
from breaches import B
from correct import RECS
from world import har
cmd, ids = sys.argv[1], sys.argv[2:]
# Not firm after all: an item of open-questions.md, or the recording does not prove it. Not counted.
CONTROL = dict(S42="no sentence; a change of airport is thinkable", S91="no sentence; a change of airport is thinkable", S58="the recording does not prove that the id is unknown", S69="the type is not written",
               S82="the recording does not prove that the key is wrong", S85="500 is documented", S101="an id of a traveller is thinkable", M49="OPEN-55", M73="OPEN-37", M74="OPEN-80", M78="OPEN-96", M79="formula not written", M80="formula not written",
               M83="no sentence", M89="OPEN-81, OPEN-82", M127="OPEN-88, OPEN-90", M128="OPEN-84 to OPEN-86", M133="OPEN-97", M143="OPEN-94", C34="only 'must be known'")
# A reader would object, but no sentence says it literally.
ARGUABLE = {"S99", "S100", "S104", "M70", "M90", "M92", "M123", "M95", "M124", "M102", "C52", "M17", "M68", "M69", "M96", "M146", "S116", "M112", "S65"}
# Where the hard finding is about a consequence, not about the breach: what the finding about the breach is.
OVERRIDE = dict(M119="warned", M16="warned", M30="warned", M155="warned", M157="warned", M77="warned", S42="missed")
FIRST = {*("S%02d" % i for i in range(1, 39)), *("C%02d" % i for i in range(1, 16)), *("M%02d" % i for i in range(1, 41))}  # written before any result was seen
os.makedirs("planted", exist_ok=True); base = {}


def audit(w, p):
    json.dump(har(w), open(p, "w"), ensure_ascii=False)
    r = subprocess.run(["./aud.sh", cmd, p], capture_output=True, text=True)
    if r.returncode not in (0, 1): print("EXIT", r.returncode, r.stderr[:300])
    return [(w.ex[f["entry"]]["tag"], f) for f in map(json.loads, r.stdout.splitlines())]


key = lambda t, f: (t, f["rule"], f["message"], f["pointer"])
rows = []
for x in B:
    if ids and x["id"] not in ids: continue
    if x["rec"] not in base: base[x["rec"]] = {key(t, f) for t, f in audit(RECS[x["rec"]](), f"har/{x['rec']}.har")}
    w = RECS[x["rec"]](); before = json.dumps(har(w)); x["f"](w); assert json.dumps(har(w)) != before, x["id"]
    new = [(t, f) for t, f in audit(w, f"planted/{x['id']}.har") if key(t, f) not in base[x["rec"]]]
    want = "request" if x["kind"] == "C" else "response"
    hard = [(t, f) for t, f in new if f["side"] == want and not f["soft"] and f["kind"] in ("violation", "drift")]
    v = "found" if hard else "warned" if [1 for t, f in new if f["side"] == want] else "other side" if new else "missed"
    v = OVERRIDE.get(x["id"], v); rows.append((x, v, new)); print(x["id"], x["iface"], v, "|", x["what"])
    for t, f in new: print("      ", f["side"], f["kind"] + ("/soft" if f["soft"] else ""), f["rule"], "|", t, f["pointer"], "|", f["message"][:200], "| exp", str(f["expected"])[:60], "| act", str(f["actual"])[:60])
def table(sel, by):
    out = {}
    for x, v, new in rows:
        if sel(x["id"]): d = out.setdefault(x[by], dict(found=0, warned=0, missed=0)); d["missed" if v in ("missed", "other side") else v] += 1
    return out


NAME = dict(S="responses", C="requests", M="several exchanges")
firm = lambda i: i not in CONTROL and i not in ARGUABLE
lines = []
for label, sel in (("first list (written before any result)", lambda i: i in FIRST), ("all firm ones", firm), ("arguable ones", lambda i: i in ARGUABLE)):
    for by in ("kind", "iface"):
        t = table(sel, by); lines.append((label, by, t)); print(label, by, t)
tot = lambda t: {k: sum(d[k] for d in t.values()) for k in ("found", "warned", "missed")}
print([(l, tot(t)) for l, b, t in lines if b == "kind"])
cls = lambda i: "control" if i in CONTROL else "arguable" if i in ARGUABLE else "first" if i in FIRST else "firm"
esc = lambda t: str(t).replace("|", "\\|")
if not ids:
    with open("BREACHES.md", "w") as o:
        o.write("# Breaches\n\nClass: `first` = firm, of the first list (38 S, 15 C, 40 M), written before any result was seen; `firm` = later, harder lists, aimed at gaps, `arguable` = no literal sentence, `control` = turned out not to be firm (not counted).\nKinds: S response of the service, C request of the partner, M several exchanges.\n\n| id | class | interface | recording | breach | sentence |\n|---|---|---|---|---|---|\n")
        for x in B: o.write("| %s | %s | %s | %s | %s | %s |\n" % tuple(map(esc, (x["id"], cls(x["id"]) + (": " + CONTROL[x["id"]] if x["id"] in CONTROL else ""), x["iface"], x["rec"], x["what"], x["sentence"]))))
    with open("RESULTS.md", "w") as o:
        o.write("# Results\n\n")
        for l, by, t in lines:
            o.write(f"## {l}, by {by}\n\n| | found | warned | missed |\n|---|---|---|---|\n")
            for k, d in t.items(): o.write(f"| {NAME.get(k, k)} | {d['found']} | {d['warned']} | {d['missed']} |\n")
            d = tot(t); o.write(f"| total | {d['found']} | {d['warned']} | {d['missed']} |\n\n")
        o.write("## Each\n\n| id | class | interface | result | breach | rule | message |\n|---|---|---|---|---|---|---|\n")
        for x, v, new in rows:
            u = list(dict.fromkeys((f["rule"] + (" (soft)" if f["soft"] else ""), f["message"]) for t, f in new))[:4]
            o.write("| %s | %s | %s | %s | %s | %s | %s |\n" % (x["id"], cls(x["id"]), x["iface"], v, esc(x["what"]), "<br>".join(a for a, b in u), esc("<br>".join(b for a, b in u))))
