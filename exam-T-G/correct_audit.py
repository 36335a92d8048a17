import subprocess, json, sys
from correct import RECS
cmd = sys.argv[1]; names = sys.argv[2:] or list(RECS)
for n in names:
    w = RECS[n](); p = f"har/{n}.har"
    json.dump(har(w) if 0 else __import__("world").har(w), open(p, "w"), ensure_ascii=False)
    r = subprocess.run(["./aud.sh", cmd, p], capture_output=True, text=True)
    print("==", n, len(w.ex), "exit", r.returncode, r.stderr.strip()[:300])
    for l in r.stdout.splitlines():
        f = json.loads(l)
        print("  ", f["side"], f["kind"] + ("/soft" if f["soft"] else ""), f["class"] or "", f["rule"], "|", w.ex[f["entry"]]["tag"], f["status"], f["pointer"], "|", f["message"][:220], "| exp:", str(f["expected"])[:80], "| act:", str(f["actual"])[:80])
