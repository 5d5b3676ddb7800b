#!/usr/bin/env python3
"""Brings the rank, score and signs of the judged crashes up to date, after a change of the signs.

usage: relabel.py [-o DIR] [--bin DIR] [--limit S] [MODULE...]  (build first: make)

The crashes are those of scripts/labels/judged.jsonl, or of the modules whose path contains a
MODULE. Each is a call with its inputs: it becomes a test again (goimports finds the imports), which
runs in a copy of its module for its stack; `infer` learns the module's invariants, and scripts/sign
assesses the crashes. Sources and invariants go to DIR and are used again by the next run. A crash
that does not happen again keeps what it has, and is listed.
"""
import argparse
import collections
import json
import os
import re

from fixedlater import HERE, get, load, run

# What a document has to say of a run.
STATS = dict.fromkeys(["candidates", "confirmed", "by_sequence", "elsewhere", "suppressed"], 0)

FRAME = re.compile(r"^(\S.*)\((?:[^()]|\([^()]*\)|\{[^}]*\})*\)\n\t(\S+\.go):(\d+)", re.M)


def package_of(func):
    """Returns the import path of a function."""
    slash = func.rfind("/") + 1
    return func[:slash] + func[slash:].split(".")[0]


def stack_of(out, root, test):
    """Returns the frames of a panic in a module, from the innermost to the test's callee."""
    frames = []
    at = out.find("\ngoroutine ")
    for func, file, line in FRAME.findall(out[at:] if at >= 0 else ""):
        if func.split(".")[-1] == test:
            return frames
        if os.path.realpath(file).startswith(os.path.realpath(root) + "/"):
            pos = os.path.relpath(os.path.realpath(file), os.path.realpath(root))
            frames.append({"func": func, "pos": f"{pos}:{line}"})
    return frames


def crash_of(row, n, root, goimports):
    """Runs the inputs of a row as a test; returns the crash, None if there is none."""
    package = package_of(row["func"])
    folder = os.path.join(root, package[len(row["module"]):].strip("/"))
    if not os.path.isdir(folder):
        return None
    name = ""
    for f in sorted(os.listdir(folder)):
        if f.endswith(".go") and not f.endswith("_test.go"):
            name = re.search(r"^package (\w+)", open(os.path.join(folder, f)).read(), re.M).group(1)
            break
    test = f"TestJudged{n}"
    file = os.path.join(folder, f"zz_judged_{n}_test.go")
    with open(file, "w") as f:
        f.write(f"package {name}\n\nfunc {test}(*testing.T) {{\n{row['inputs']}\n}}\n")
    run([goimports, "-w", file], folder, 120)
    source = open(file).read()
    own = {}
    for f in os.listdir(folder):  # the package's own tests may not compile, or exit
        if f.endswith("_test.go") and not f.startswith("zz_judged"):
            own[f] = os.path.join(folder, f + ".off")
            os.rename(os.path.join(folder, f), own[f])
    try:
        _, out = run(["go", "test", "-vet=off", "-count=1", "-timeout=30s", "-run", f"^{test}$",
                      "."], folder, 120)
    finally:
        os.remove(file)
        for f, off in own.items():
            os.rename(off, os.path.join(folder, f))
    stack = stack_of(out, root, test)
    message = re.search(r"^(?:panic|fatal error): (.*)", out, re.M)
    if not stack or not message:
        return None
    unreachable = "no-public-way" in row["signs"]
    return {
        "id": f"C{n}", "kind": row["kind"], "func": row["func"], "pos": row["pos"],
        "message": message.group(1).removesuffix(" [recovered]"), "stack": stack,
        "inputs": row["inputs"], "satisfies_invariants": False,
        "test": {"package": package, "file": os.path.basename(file), "name": test,
                 "source": source},
        "built_by": "literal" if unreachable else "sequence", "rank": "look", "signs": [],
        "score": 0, "group_size": 1, "level": 1,
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("-o", default=os.path.join(HERE, "../.labels"))
    ap.add_argument("--bin", default=os.path.join(HERE, "../bin"))
    ap.add_argument("--limit", type=int, default=120)
    ap.add_argument("module", nargs="*")
    a = ap.parse_args()
    a.o, a.bin = os.path.abspath(a.o), os.path.abspath(a.bin)
    os.makedirs(a.o, exist_ok=True)
    goimports, sign = a.o + "/goimports", a.o + "/sign"
    if not os.path.exists(goimports):
        os.environ["GOBIN"] = a.o
        run(["go", "install", "golang.org/x/tools/cmd/goimports@latest"], a.o, 300)
    run(["go", "build", "-tags", "urfave_cli_no_docs", "-o", sign, "./scripts/sign"], HERE + "/..",
        300)
    file = HERE + "/labels/judged.jsonl"
    rows = [json.loads(line) for line in open(file)]
    modules = collections.defaultdict(list)
    for n, r in enumerate(rows):
        if not a.module or any(m in r["module"] for m in a.module):
            modules[r["module"], r["version"]].append((n, r))
    for (path, version), list_ in modules.items():
        work = os.path.join(a.o, path.removeprefix("github.com/").replace("/", "_"))
        old = work + "/old"
        if not get(a.o, path, version, old):
            print(path, "cannot be had", flush=True)
            continue
        out = work + "/"
        if not os.path.exists(out + "invariants.json"):
            run([a.bin + "/infer", "trace", "-C", old, "-o", out + "trace.jsonl.gz", "./..."], work,
                a.limit)
            run([a.bin + "/infer", "invariants", "-o", out + "invariants.json",
                 out + "trace.jsonl.gz"], work, a.limit)
        crashes = {n: crash_of(r, n, old, goimports) for n, r in list_}
        found = [c for c in crashes.values() if c]
        with open(out + "judged.json", "w") as f:
            json.dump({"schema": "dsd/crashes/v1", "module": {"path": path, "go": "1.21"},
                       "crashes": found, "unconfirmed": [], "stats": STATS}, f)
        assume = ["-assume", out + "invariants.json"] if os.path.exists(out + "invariants.json") \
            else []
        status, text = run([sign, "-C", old, *assume, out + "judged.json"], work, 300)
        if status:
            print(path, text.strip(), flush=True)
            continue
        by_id = {c["id"]: c for c in load(out + "judged.json")["crashes"]}
        for n, r in list_:
            c = by_id.get(f"C{n}")
            if c is None:
                print(path, r["func"], r["pos"], "does not happen again", flush=True)
                continue
            r["rank"], r["score"] = c["rank"], c.get("score", 0)
            r["signs"] = [s["name"] for s in c["signs"]]
        with open(file, "w") as f:
            for r in rows:
                f.write(json.dumps(r) + "\n")
        print(path, version, f"{len(found)} of {len(list_)}", flush=True)


if __name__ == "__main__":
    main()
