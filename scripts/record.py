#!/usr/bin/env python3
"""Runs the programs of a folder of cases under crash record, replays the recordings, and prints a
table.

usage: record.py [--copy MODE]... [--keep DIR] DIR [case...]      (build first: make)

A case is a folder of DIR with repro/, a program that crashes, and case.json, whose "module" names
the module that crashes. A cell of the table has the number of recorded frames of the module whose
test crashes as the program did, the number of its recorded frames, and the size of the recording.
The last two lines count the cases where a test of any frame crashes so, even that of main, and the
cases where a test of the module's own frames does.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile

BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bin", "crash")


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--copy", action="append",
                    help="value of crash record --copy (default: reference)")
    ap.add_argument("--keep", metavar="DIR",
                    help="keep recordings and the output of crash replay below DIR")
    ap.add_argument("dir")
    ap.add_argument("case", nargs="*")
    a = ap.parse_args()
    modes = a.copy or ["reference"]
    ids = a.case or sorted(
        d for d in os.listdir(a.dir) if os.path.exists(os.path.join(a.dir, d, "repro"))
    )
    print("%-28s" % "case", *("%-24s" % m for m in modes), flush=True)
    reproduced, inside = dict.fromkeys(modes, 0), dict.fromkeys(modes, 0)
    with tempfile.TemporaryDirectory() as work:
        for i in ids:
            about = json.load(open(os.path.join(a.dir, i, "case.json")))
            app = os.path.join(work, i)
            shutil.copytree(os.path.join(a.dir, i, "repro"), app)
            subprocess.run(["chmod", "-R", "u+w", app])
            cells = []
            for mode in modes:
                recording = os.path.join(work, "recording.json")
                if os.path.exists(recording):
                    os.remove(recording)
                packages = "./...,%s/..." % about["module"]
                record = [BIN, "record", "-C", app, "--packages", packages, "-o", recording,
                          "--copy", mode]
                r = subprocess.run(
                    record + ["--", "go", "run", "."], capture_output=True, text=True
                )
                if r.returncode != 1:  # a fatal error is recorded when it happens the second time
                    chance = ["--second-chance", os.path.join(work, i + ".txt"),
                              "--", "go", "run", "."]
                    subprocess.run(record + chance, capture_output=True)
                    r = subprocess.run(record + chance, capture_output=True, text=True)
                if r.returncode != 1:
                    cells.append("not recorded (%d)" % r.returncode)
                    if a.keep:
                        open(os.path.join(a.keep, i + ".err"), "w").write(r.stderr)
                    continue
                text = open(recording).read()
                crash = json.loads(text)["crashes"][-1]
                frames = [f for f in crash["frames"]
                          if f.get("func", "").startswith(about["module"])]
                p = subprocess.run(
                    [BIN, "replay", "-C", app, recording], capture_output=True, text=True
                )
                if a.keep:
                    os.makedirs(a.keep, exist_ok=True)
                    open(os.path.join(a.keep, "%s.%s.recording.json" % (i, mode)), "w").write(text)
                    open(os.path.join(a.keep, "%s.%s.crashes.json" % (i, mode)), "w").write(
                        p.stdout
                    )
                    open(os.path.join(a.keep, "%s.%s.err" % (i, mode)), "w").write(p.stderr)
                try:
                    doc = json.loads(p.stdout)
                except ValueError:
                    cells.append("replay: exit %d" % p.returncode)
                    continue
                good = sum(c["func"].startswith(about["module"]) for c in doc["crashes"])
                reproduced[mode] += len(doc["crashes"]) > 0
                inside[mode] += good > 0
                cells.append("%d of %d, %.1f KB" % (good, len(frames), len(text) / 1000))
            shutil.rmtree(app)
            print("%-28s" % i, *("%-24s" % c for c in cells), flush=True)
    for name, count in ("reproduced", reproduced), ("by a function of the module", inside):
        print("%-28s" % name, *("%-24s" % ("%d of %d" % (count[m], len(ids))) for m in modes))


if __name__ == "__main__":
    sys.exit(main())
