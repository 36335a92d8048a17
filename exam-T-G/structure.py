"""Structural variants of correct recordings: the verdict must not change."""
import copy, json, random, subprocess, sys, os
from correct import RECS
from world import har
cmd = sys.argv[1]; os.makedirs("variants", exist_ok=True)


def run(*files):
    r = subprocess.run([cmd, "audit", *files, "--base-url", "https://api.skyhub.example", "--payment-provider", "https://pay.provider.example", "--format", "jsonl", "--jobs", "1"], capture_output=True, text=True)
    return sorted((f["rule"], f["side"], f["soft"], f["message"][:150]) for f in map(json.loads, r.stdout.splitlines())), r.returncode, r.stderr[:200]


def save(n, h): p = f"variants/{n}.har"; json.dump(h, open(p, "w"), ensure_ascii=False); return p


for name in sys.argv[2:] or ["v4_day_card", "v4_payments", "v4_expiry", "v4_two_orgs", "v3_day_card", "v3_round_trip", "v3_lifecycles", "v3_changes", "v2_day_card", "v3_pages"]:
    h = har(RECS[name]()); E = h["log"]["entries"]; ref = run(save("ref", h))
    def var(label, f):
        g = copy.deepcopy(h); f(g["log"]["entries"]); r = run(save(name + "-" + label, g))
        if r[0] != ref[0]: print(name, label, r[1:], [x for x in r[0] if x not in ref[0]], "GONE:", len([x for x in ref[0] if x not in r[0]]))
    var("shuffled", lambda e: random.Random(3).shuffle(e))
    var("nodate", lambda e: [x["response"].update(headers=[i for i in x["response"]["headers"] if i["name"].lower() != "date"]) for x in e])
    var("port", lambda e: [x["request"].update(url=x["request"]["url"].replace(".example/", ".example:443/")) for x in e])
    var("caps", lambda e: [x["request"].update(url=x["request"]["url"].replace("api.skyhub", "API.SkyHub")) for x in e])
    var("twice", lambda e: e.extend(copy.deepcopy(e)))
    var("nopost", lambda e: [x["request"]["postData"].pop("text", None) for x in e[::5] if "postData" in x["request"]])
    rnd = random.Random(5)
    var("notext", lambda e: [x["response"]["content"].pop("text", None) for x in e if rnd.random() < .3])
    var("half", lambda e: e.__delitem__(slice(0, len(e) // 2)))
    var("third", lambda e: e.__delitem__(slice(0, len(e), 3)))
    var("gaps", lambda e: e.__delitem__(slice(1, len(e), 2)))
    a, b = copy.deepcopy(h), copy.deepcopy(h); a["log"]["entries"], b["log"]["entries"] = E[1::2], E[0::2]
    r = run(save(name + "-z1", a), save(name + "-a2", b))
    if r[0] != ref[0]: print(name, "two files", r[1:], [x for x in r[0] if x not in ref[0]])
print("done")
