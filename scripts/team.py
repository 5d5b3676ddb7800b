#!/usr/bin/env python3
"""Plays a team that turns the tools on in a module with a history: gods, a copy of it in a git repository of its own.

usage: team.py [-v] [--keep DIR] [MODULE@VERSION]      (build first: make; default: github.com/emirpasic/gods@v1.18.1)

    1  first run: what crashes today is the baseline
    2  a commit adds a bug, and moves lines and a file elsewhere: exactly one crash is new, with status 1; the known ones
       have the fingerprints of before; SARIF fits its schema
    3  check --since finds the bug without looking at the rest
    4  a comment ignores the crash, with a reason: nothing is new, with status 0
    5  the bug is mended, the comment stays: check reports it, with status 1; crash verify says that it is proved
    6  the kept test failed before, and passes now

Exit status 1 if a step does not do what it should.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
LINE = "\treturn values[len(values)/2]"
BUG = """
// Middle returns the value in the middle.
func Middle(values ...interface{}) interface{} {
	return values[len(values)/2]
}
"""
IGNORED = LINE.replace("return", "//lint:ignore dsd/index callers look at the length\n\treturn")
MENDED = BUG.replace(LINE, "\tif len(values) == 0 {\n\t\treturn nil\n\t}\n" + IGNORED)
WHERE = "lists/arraylist/arraylist.go"
bad = []


def expect(what, got, want):
    ok = got == want
    print(f"{'ok ' if ok else 'NOT'} {what}" + ("" if ok else f": {got!r}, want {want!r}"), flush=True)
    if not ok:
        bad.append(what)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("-v", action="store_true")
    ap.add_argument("--keep", type=pathlib.Path, help="copy the documents of the first two runs and the module there")
    ap.add_argument("module", nargs="?", default="github.com/emirpasic/gods@v1.18.1")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="dsd-team-") as scratch:
        scratch = pathlib.Path(scratch)
        got = json.loads(subprocess.run(["go", "mod", "download", "-json", a.module], cwd=scratch, stdout=subprocess.PIPE,
                                        check=True).stdout)
        m = scratch / "module"
        shutil.copytree(got["Dir"], m)
        subprocess.run(["chmod", "-R", "u+w", m], check=True)

        def run(*cmd, cwd=m):
            p = subprocess.run([str(c) for c in cmd], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if a.v:
                print("$", *cmd, f"-> {p.returncode}", file=sys.stderr)
            if p.returncode > 1:
                sys.exit(f"team.py: {' '.join(map(str, cmd))}: status {p.returncode}\n{p.stderr}")
            return p

        def git(*args):
            run("git", "-c", "user.name=team", "-c", "user.email=team@example.com", *args)

        infer, check, crash = (root / "bin" / name for name in ("infer", "check", "crash"))
        load = lambda name: json.load(open(scratch / name))
        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "as it is")
        start = time.monotonic()
        run(infer, "trace", "-o", scratch / "t.gz", "./...")
        run(infer, "invariants", "-o", scratch / "i.json", scratch / "t.gz")

        def checked(name, *flags):
            return run(check, "--assume", scratch / "i.json", *flags, "-o", scratch / name, "./...")

        def confirmed(warnings, name, *flags):
            return run(crash, "confirm", "--assume", scratch / "i.json", *flags, "-o", scratch / name, scratch / warnings)

        checked("w1.json")
        p = confirmed("w1.json", "c1.json")
        before = load("c1.json")["crashes"]
        print(f"first run: {len(before)} crashes, {time.monotonic() - start:.0f} s")
        expect("the first run's status", p.returncode, 1)

        file = m / WHERE
        file.write_text("// Moved.\n\n" + file.read_text().replace("// Get returns", BUG.strip() + "\n\n// Get returns", 1))
        for f in list(m.glob("*/*/*.go"))[::3]:
            if f != file and not f.name.endswith("_test.go"):
                f.write_text("// A comment.\n\n\n" + f.read_text())
        (m / "lists/singlylinkedlist/singlylinkedlist.go").rename(m / "lists/singlylinkedlist/list.go")
        git("add", ".")
        git("commit", "-q", "-m", "the middle")
        start = time.monotonic()
        checked("w2.json")
        p = confirmed("w2.json", "c2.json", "--baseline", scratch / "c1.json")
        print(f"second run: {time.monotonic() - start:.0f} s")
        after = load("c2.json")
        new = [c for c in after["crashes"] if not c.get("known")]
        if a.keep:
            shutil.copytree(scratch, a.keep, dirs_exist_ok=True)
        expect("one crash is new", [c["func"].split("/")[-1] for c in new], ["arraylist.Middle"])
        expect("none is gone", after["baseline"]["gone"], [])
        expect("the status with a new crash", p.returncode, 1)
        expect("known crashes have their fingerprints", sorted({c["fingerprint"] for c in before} ^ (
            {c["fingerprint"] for c in after["crashes"]} - {c["fingerprint"] for c in new})), [])
        moved = [c for c in after["crashes"] if c.get("known")]
        expect("although their lines moved", {(c["fingerprint"], c["pos"]) for c in before} >= {(c["fingerprint"], c["pos"]) for c in moved},
               False)
        sarif = scratch / "c2.sarif"
        run(crash, "report", "--format", "sarif", "-o", sarif, scratch / "c2.json")
        subprocess.run(["/usr/bin/python3", "-c", "import json, jsonschema, sys; jsonschema.Draft7Validator(json.load(open("
                        "sys.argv[1]))).validate(json.load(open(sys.argv[2])))",
                        root / "internal/format/testdata/sarif-schema-2.1.0.json", sarif], check=True)
        states = {}
        for x in json.load(open(sarif))["runs"][0]["results"]:
            states[x["baselineState"]] = states.get(x["baselineState"], 0) + 1
        expect("SARIF's states", states, {"new": 1, "unchanged": len(before)})

        start = time.monotonic()
        checked("w3.json", "--since", "HEAD~1")
        since = load("w3.json")
        print(f"check --since: {since['functions']} of {load('w2.json')['functions']} functions, {time.monotonic() - start:.1f} s")
        expect("--since finds the bug", any(w["func"].endswith("arraylist.Middle") for w in since["warnings"]), True)

        text = file.read_text()
        file.write_text(text.replace(LINE, IGNORED))
        checked("w4.json")
        p = confirmed("w4.json", "c4.json", "--baseline", scratch / "c1.json")
        expect("the status with an ignored crash", p.returncode, 0)
        expect("nothing is new", load("c4.json")["baseline"]["new"], 0)

        kept = scratch / "kept.go"
        run(crash, "keep", "-o", kept, new[0]["id"], scratch / "c2.json")
        test = m / "lists/arraylist/middle_test.go"
        shutil.copy(kept, test)
        run_test = lambda: subprocess.run(["go", "test", "-run", "Middle", "./lists/arraylist"], cwd=m, capture_output=True,
                                          text=True)
        p = run_test()
        expect("the kept test fails", ("--- FAIL: TestMiddle" in p.stdout, p.returncode), (True, 1))
        file.write_text(text.replace(BUG.strip(), MENDED.strip()))
        p = run_test()
        expect("the kept test passes", p.returncode, 0)
        test.unlink()
        p = checked("w5.json", "--baseline", scratch / "w1.json")
        expect("the status with a useless comment", p.returncode, 1)
        expect("the useless comment", [(d["pos"].split(":")[0], d["matches"]) for d in load("w5.json")["directives"]], [(WHERE, 0)])
        (scratch / "new.json").write_text(json.dumps({**after, "crashes": new}))
        p = run(crash, "verify", "--assume", scratch / "i.json", "--format", "json", scratch / "new.json")
        expect("the fix is proved", ([v["outcome"] for v in json.loads(p.stdout)], p.returncode), (["proved"], 0))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
