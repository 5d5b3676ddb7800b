#!/usr/bin/env python3
"""Says how long a pipeline takes on 1, 10, 100, 1000 workers, from times recorded on one.

usage: simulate.py record [-o DIR] [--sample N] MODULE...   on this machine, one thing at a time (build first: make)
       simulate.py table [--workers N,...] FILE...          from what was recorded

record writes DIR/NAME.json with the seconds of each thing that can be a part by itself: of the trace of a package,
the analysis of a function (check --times), the confirmation of a package's warnings; and of what is done once in
between. table divides that among workers as --shard does, each part with what all parts have to do: to load the module,
and to analyze the functions whose results its own may use. It adds up the longest part of each stage. The network, and
waiting for a machine, are not in it. Set DSDCACHE=off to record.

With --sample N, of a large module one package in N is recorded, and the table takes the module for N such samples. What it
takes to load the module is that of all packages.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
bin = here.parent.parent / "bin"


def timed(*cmd, most=1):
    """Runs a command, and returns the seconds it took. Status 1 says that something was found."""
    start = time.monotonic()
    p = subprocess.run([str(c) for c in cmd], stdout=subprocess.DEVNULL)
    if p.returncode > most:
        sys.exit(f"simulate.py: {' '.join(map(str, cmd))}: status {p.returncode}")
    return time.monotonic() - start


def go_list(form, module):
    return subprocess.run(["go", "list", "-f", form, "./..."], cwd=module, stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split()


def package_of(func):
    """The package of a function: its name up to the first dot after the last slash."""
    slash = func.rfind("/", 0, (func + "(").index("(")) + 1
    return func[:func.index(".", slash)]


def record(module, to, sample):
    r = {"module": "_".join(module.resolve().parts[-2:]), "lines": 0, "sample": sample}
    packages = go_list("{{.ImportPath}}", module)[::sample]
    patterns = packages if sample > 1 else ["./..."]
    for file in go_list("{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}", module):
        r["lines"] += sum(1 for _ in open(file, errors="replace"))
    at = ["-C", module, "-j", "1"]
    with tempfile.TemporaryDirectory(prefix="dsd-simulate-") as out:
        out = pathlib.Path(out)
        r["trace"], traces = [], []
        for i, pkg in enumerate(packages):
            traces.append(out / f"{i}.jsonl.gz")
            r["trace"].append(timed(bin / "infer", "trace", *at, "--timeout", "5m", "-o", traces[-1], pkg))
        trace, invariants, warnings = out / "trace.jsonl.gz", out / "invariants.json", out / "warnings.json"
        r["once"] = timed(bin / "infer", "merge", "-o", trace, *traces)
        r["once"] += timed(bin / "infer", "invariants", "-o", invariants, trace)
        assume = ["--assume", invariants]
        timed(bin / "check", *at, *assume, "--times", out / "times", "-o", warnings, *patterns)
        times = [json.loads(line) for line in open(out / "times")]
        r["loaded"], r["functions"] = times[0]["loaded"], times[1:]
        if sample > 1:
            timed(bin / "check", *at, "--shard", "1/1000000", "--times", out / "all", "-o", "/dev/null", "./...")
            r["loaded"] = json.loads(open(out / "all").readline())["loaded"]
        doc = json.load(open(warnings))
        found = {}
        for w in doc["warnings"]:
            found.setdefault(package_of(w["func"]), []).append(w)
        r["confirm"] = []
        for pkg in sorted(found):
            (out / "part.json").write_text(json.dumps({**doc, "warnings": found[pkg]}))
            r["confirm"].append({"weight": len(found[pkg]), "seconds": timed(
                bin / "crash", "confirm", *at, *assume, "--trace", trace, "-o", out / "crashes.json", out / "part.json", most=3)})  # a part of programs that end by themselves
    (to / f"{r['module']}.json").write_text(json.dumps(r))


def whole(r):
    """The module of which a sample was recorded: so many samples beside each other."""
    n = r.get("sample", 1)
    functions = [{**f, "func": f"{i} {f['func']}", "waits": [f"{i} {w}" for w in f.get("waits", [])]}
                 for i in range(n) for f in r["functions"]]
    return {**r, "trace": r["trace"] * n, "confirm": r["confirm"] * n, "functions": functions, "once": r["once"] * n}


def runs(weights, of):
    """The numbers of the parts of things, as shard.Runs has them."""
    total, before, out = sum(weights), 0, []
    for w in weights:
        out.append(min(of, before * of // total + 1))
        before += w
    return out


def longest(numbers, costs, fixed):
    """The seconds of the longest part, each of which costs that much before anything else."""
    sums = {}
    for n, c in zip(numbers, costs):
        sums[n] = sums.get(n, 0) + c
    return fixed + max(sums.values(), default=0)


def check(r, workers):
    functions = r["functions"]
    by_name = {f["func"]: f for f in functions}
    # In the order of the documents, neighbors are together; times are in the order of the analysis.
    ordered = sorted(functions, key=lambda f: f["func"])
    parts = {}
    for f, n in zip(ordered, runs([f["weight"] for f in ordered], workers)):
        mine = parts.setdefault(n, set())
        mine.add(f["func"])
        mine.update(w for w in f.get("waits", []) if w in by_name)
    return r["loaded"] + max(sum(by_name[f]["seconds"] for f in mine) for mine in parts.values())


def stages(r, workers):
    """The seconds of trace, check and confirm, and of what is done once."""
    n = len(r["trace"])
    fixed = min(r["trace"])
    trace = longest([i % workers for i in range(n)], [t - fixed for t in r["trace"]], fixed)
    confirm = 0
    if r["confirm"]:
        fixed = min(c["seconds"] for c in r["confirm"])
        confirm = longest(runs([c["weight"] for c in r["confirm"]], workers),
                          [c["seconds"] - fixed for c in r["confirm"]], fixed)
    return trace, check(r, workers), confirm, r["once"]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest="command", required=True)
    p = sub.add_parser("record")
    p.add_argument("-o", type=pathlib.Path, default=pathlib.Path("."))
    p.add_argument("--sample", type=int, default=1)
    p.add_argument("module", nargs="+", type=pathlib.Path)
    p = sub.add_parser("table")
    p.add_argument("--workers", default="1,10,100,1000")
    p.add_argument("file", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    if a.command == "record":
        a.o.mkdir(exist_ok=True)
        for module in a.module:
            record(module, a.o, a.sample)
        return
    workers = [int(w) for w in a.workers.split(",")]
    print(f"{'module':28} {'lines':>8} {'functions':>9}", *(f"{w:>6} workers" for w in workers), " of the last: trace check confirm once")
    for file in a.file:
        r = whole(json.loads(file.read_text()))
        rows = [stages(r, w) for w in workers]
        print(f"{r['module']:28} {r['lines']:8} {len(r['functions']):9}", *(f"{sum(s):12.0f} s" for s in rows), "  ",
              *(f"{s:7.1f}" for s in rows[-1]))


if __name__ == "__main__":
    main()
