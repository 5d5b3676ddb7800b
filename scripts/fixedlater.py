#!/usr/bin/env python3
"""Labels crashes by what became of them: reports crashes on old versions of modules, and runs each
test against a newer version.

usage: fixedlater.py [-o DIR] [--bin DIR] [--random S] [--limit S] [NAME...]  (build first: make)

The modules are those of scripts/labels/modules.txt, or the ones whose path contains a NAME. Sources
and documents go to DIR/NAME and are used again by the next run, without those that were removed.
A crash that no longer happens, while its test still compiles, was most likely a bug; a crash that
happens for years was most likely none. The labels go to scripts/labels/fixed.jsonl, one object a
line: module, versions, the crash's function, kind, position, rank and signs, and its label, one of
the first two of these:

  fixed    the test passes on the newer version
  still    the test panics on the newer version
  gone     the test does not compile there, or its package is gone
  other    the test cannot run there: it hangs, or runs out of memory
"""
import argparse
import collections
import json
import os
import re
import shutil
import signal
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PANIC = re.compile(r"^(panic: |fatal error: |runtime: goroutine stack exceeds)", re.M)


def run(cmd, cwd, timeout, log=None):
    """Runs a command; interrupts it after timeout, and kills it 30 s later."""
    p = subprocess.Popen(cmd, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="replace", start_new_session=True)
    status = None
    try:
        out, _ = p.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        status = 124
        os.killpg(p.pid, signal.SIGINT)
        try:
            out, _ = p.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            out, _ = p.communicate()
    if log:
        with open(log, "w") as f:
            f.write(out)
    return p.returncode if status is None else status, out


def load(path):
    try:
        with open(path) as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def get(directory, path, version, to):
    """Copies a version of a module to a directory; reports whether it could be had."""
    if os.path.exists(to):
        return True
    os.makedirs(directory + "/get", exist_ok=True)
    if not os.path.exists(directory + "/get/go.mod"):
        run(["go", "mod", "init", "get"], directory + "/get", 60)
    _, out = run(["go", "mod", "download", "-json", f"{path}@{version}"], directory + "/get", 300)
    found = re.search(r'"Dir": "(.*)"', out)
    if not found:
        return False
    shutil.copytree(found.group(1), to)
    run(["chmod", "-R", "u+w", to], "/", 60)
    if not os.path.exists(to + "/go.mod"):
        with open(to + "/go.mod", "w") as f:
            f.write(f"module {path}\n\ngo 1.21\n")
    run(["go", "mod", "tidy"], to, 300)
    return True


def stages(a, work):
    """Writes the documents of the old version that are not there yet."""
    old, out = work + "/old", work + "/"
    tool = lambda name: os.path.join(a.bin, name)
    if not os.path.exists(out + "trace.jsonl.gz"):
        run([tool("infer"), "trace", "-C", old, "-o", out + "trace.jsonl.gz", "./..."], work,
            a.limit, out + "trace.log")
    if not os.path.exists(out + "invariants.json"):
        run([tool("infer"), "invariants", "-o", out + "invariants.json", out + "trace.jsonl.gz"],
            work, a.limit, out + "invariants.log")
    assume = []
    if os.path.exists(out + "invariants.json"):
        assume = ["--assume", out + "invariants.json"]
    seeds = ["--trace", out + "trace.jsonl.gz"] if assume else []
    if not os.path.exists(out + "warnings.json"):
        run([tool("check"), "-C", old, *assume, "-o", out + "warnings.json", "./..."], work,
            a.limit, out + "check.log")
    if not os.path.exists(out + "crashes.json"):
        run([tool("crash"), "confirm", "-C", old, *assume, *seeds, "-o", out + "crashes.json",
             out + "warnings.json"], work, a.limit, out + "confirm.log")
    if not os.path.exists(out + "random.json"):
        run([tool("crash"), "random", "-C", old, *assume, "--time", f"{a.random}s", "-o",
             out + "random.json", "./..."], work, 4 * a.random + a.limit, out + "random.log")


def later(work, path, crashes):
    """Runs the tests of crashes against the newer version; returns the label of each."""
    labels = ["gone"] * len(crashes)
    packages = collections.defaultdict(list)
    for i, c in enumerate(crashes):
        packages[c["test"]["package"]].append(i)
    for package, list_ in packages.items():
        folder = os.path.join(work, "new", package[len(path):].strip("/"))
        if not os.path.isdir(folder):
            continue
        # The package's own tests may not compile, or exit; its crashes do not need them.
        for f in os.listdir(folder):
            if f.endswith("_test.go"):
                os.remove(os.path.join(folder, f))
        files = {}
        for i in list_:
            files[f"zz_later_{i}_test.go"] = i
            with open(os.path.join(folder, f"zz_later_{i}_test.go"), "w") as f:
                f.write(crashes[i]["test"]["source"])
        binary = os.path.join(work, "later.test")
        while files:
            status, out = run(["go", "test", "-vet=off", "-c", "-gcflags=-e", "-o", binary, "."],
                              folder, 300)
            if status == 0:
                break
            bad = {n for n in files if re.search(rf"\b{n}:\d", out)} or set(files)
            for n in bad:
                os.remove(os.path.join(folder, n))
                del files[n]
        for n, i in files.items():
            name = crashes[i]["test"]["name"]
            status, out = run([binary, "-test.run", f"^{name}$", "-test.timeout", "20s"], folder,
                              40)
            if status == 0:
                labels[i] = "fixed"
            elif PANIC.search(out) and "test timed out" not in out and "out of memory" not in out:
                labels[i] = "still"
            else:
                labels[i] = "other"
            os.remove(os.path.join(folder, n))
    return labels


def crashes_of(work):
    """Returns the crashes of both documents; of those at one place with one kind, the first."""
    out, seen = [], set()
    for file in ("crashes.json", "random.json"):
        for c in load(work + "/" + file).get("crashes", []):
            line = ":".join(c["pos"].split(":")[:2])
            key = c["kind"], line, c["func"]
            if key not in seen:
                seen.add(key)
                out.append(c)
    return out


def judged(root):
    """Brings rank, score and signs of the crashes in scripts/labels/judged.jsonl up to date, where
    there are documents of their modules."""
    file = HERE + "/labels/judged.jsonl"
    rows = [json.loads(line) for line in open(file)] if os.path.exists(file) else []
    for r in rows:
        work = os.path.join(root, r["module"].removeprefix("github.com/").replace("/", "_"))
        for c in crashes_of(work):
            if all(c[k] == r[k] for k in ("func", "kind", "pos")):
                r["rank"], r["score"] = c.get("rank", "look"), c.get("score", 0)
                r["signs"] = [s["name"] for s in c.get("signs", [])]
                break
    if rows:
        with open(file, "w") as f:
            for r in rows:
                f.write(json.dumps(r) + "\n")


def table(rows, key, title):
    counts = collections.defaultdict(collections.Counter)
    for r in rows:
        for k in key(r):
            counts[k][r["label"]] += 1
    print(f"\n{title:34} fixed still gone other  share fixed")
    rate = lambda n: n["fixed"] / max(n["fixed"] + n["still"], 1)
    for k, n in sorted(counts.items(), key=lambda x: -rate(x[1])):
        judged = n["fixed"] + n["still"]
        share = f"{100 * n['fixed'] / judged:.0f}%" if judged else "-"
        print(f"{k:34} {n['fixed']:5} {n['still']:5} {n['gone']:4} {n['other']:5}  {share:>5}")


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("-o", default=os.path.join(HERE, "../.labels"))
    ap.add_argument("--bin", default=os.path.join(HERE, "../bin"))
    ap.add_argument("--random", type=int, default=20)
    ap.add_argument("--limit", type=int, default=120)
    ap.add_argument("name", nargs="*")
    a = ap.parse_args()
    a.o, a.bin = os.path.abspath(a.o), os.path.abspath(a.bin)
    rows = []
    for line in open(HERE + "/labels/modules.txt"):
        if line.startswith("#") or a.name and not any(n in line for n in a.name):
            continue
        path, old, new = line.split()
        work = os.path.join(a.o, path.removeprefix("github.com/").replace("/", "_"))
        if not (get(a.o, path, old, work + "/old") and get(a.o, path, new, work + "/new")):
            print(path, "cannot be had", flush=True)
            continue
        stages(a, work)
        crashes = crashes_of(work)
        labels = load(work + "/later.json")
        ids = [c["test"]["source"] for c in crashes]
        if not labels or any(i not in labels for i in ids):
            labels = dict(zip(ids, later(work, path, crashes)))
            with open(work + "/later.json", "w") as f:
                json.dump(labels, f)
        for c in crashes:
            rows.append({"module": path, "old": old, "new": new, "func": c["func"],
                         "kind": c["kind"], "pos": c["pos"], "rank": c.get("rank", "look"),
                         "score": c.get("score", 0),
                         "signs": [s["name"] for s in c.get("signs", [])],
                         "label": labels[c["test"]["source"]]})
        n = collections.Counter(r["label"] for r in rows if r["module"] == path)
        print(path, old, new, dict(n), flush=True)
    if not a.name:
        judged(a.o)
        with open(HERE + "/labels/fixed.jsonl", "w") as f:
            for r in rows:
                if r["label"] in ("fixed", "still"):
                    f.write(json.dumps(r) + "\n")
    table(rows, lambda r: [r["rank"]], "rank")
    table(rows, lambda r: r["signs"], "sign")
    table(rows, lambda r: [r["kind"]], "kind")


if __name__ == "__main__":
    main()
