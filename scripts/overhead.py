#!/usr/bin/env python3
"""Measures the overhead of crash record: runs benchmarks of modules, plain and recorded, in turns.

usage: overhead.py [-n RUNS] [--time DURATION] [--most N] [--mode MODE]... MODULE@VERSION...

Build first: make. Each benchmark runs RUNS times (default 5) for DURATION (default 50ms) in each
mode, the modes in turns. Its result is the median of the time per operation. If a module has more
than N (default 15) benchmarks, N of them are run, evenly spread. The row of a module is the
geometric mean over its benchmarks of the ratio to plain; the last row is the median of the modules.
scripts/overhead has benchmarks for modules with few or none of their own. MODE is a value of crash
record --copy, or second-chance, which is measured before a crash.
"""
import argparse, json, math, os, re, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.join(HERE, "..", "bin", "crash")


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("-n", type=int, default=5)
    ap.add_argument("--time", default="50ms")
    ap.add_argument("--most", type=int, default=15)
    ap.add_argument("--mode", action="append")
    ap.add_argument("module", nargs="+")
    a = ap.parse_args()
    modes = a.mode or ["reference", "second-chance"]
    print("%-36s %-12s" % ("workload", "benchmarks"), *("%-14s" % m for m in modes), flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["go", "mod", "init", "get"], cwd=work, capture_output=True)
        for spec in a.module:
            download = ["go", "mod", "download", "-json", spec]
            found = json.loads(
                subprocess.run(download, cwd=work, capture_output=True, text=True).stdout
            )
            name = spec.split("@")[0]
            copy = os.path.join(work, "copy")
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(found["Dir"], copy)
            subprocess.run(["chmod", "-R", "u+w", copy])
            parts = name.split("/")
            base = parts[-2] if re.fullmatch(r"v\d+", parts[-1]) else parts[-1]
            extra = os.path.join(HERE, "overhead", base.lower() + ".go.txt")
            if os.path.exists(extra):
                shutil.copy(extra, os.path.join(copy, "zz_overhead_test.go"))
            times = {m: {} for m in ["plain"] + modes}
            for dir, names in chosen(copy, a.most):
                binaries = {}
                for m in ["plain"] + modes:
                    binaries[m] = os.path.join(work, "bench." + m.replace("=", ""))
                    build(copy, dir, m, binaries[m], work)
                for _ in range(a.n):
                    for m, b in binaries.items():
                        flags = ["-test.run=^$", "-test.bench=^(%s)$" % "|".join(names),
                                 "-test.benchtime=" + a.time, "-test.cpu=1"]
                        out = subprocess.run([b] + flags, cwd=os.path.join(copy, dir),
                                             capture_output=True, text=True, timeout=900).stdout
                        for bench, ns in re.findall(
                            r"^(Benchmark\S+)\s+\d+\s+([\d.]+) ns/op", out, re.M
                        ):
                            times[m].setdefault(dir + " " + bench, []).append(float(ns))
            ratios = []
            for m in modes:
                logs = [math.log(statistics.median(times[m][b]) / statistics.median(plain))
                        for b, plain in times["plain"].items()
                        if b in times[m] and statistics.median(plain) > 0]
                ratios.append(math.exp(sum(logs) / len(logs)) if logs else float("nan"))
            if not times["plain"]:
                print("%-36s no benchmarks" % name, flush=True)
                continue
            rows.append(ratios)
            print("%-36s %-12d" % (name, len(times["plain"])), *("%-14.2f" % r for r in ratios),
                  flush=True)
    if rows:
        print("%-36s %-12s" % ("median", ""),
              *("%-14.2f" % statistics.median(r) for r in zip(*rows)))


def chosen(copy, most):
    """Return the benchmarks to run, at most `most` and evenly spread: (directory, names)."""
    all = [(dir, name) for dir, names in packages(copy) for name in names]
    step = max(len(all) / most, 1)
    taken = [all[int(i * step)] for i in range(min(len(all), most))]
    return [(dir, [n for d, n in taken if d == dir]) for dir in dict.fromkeys(d for d, _ in taken)]


def packages(copy):
    """Return the directories with benchmarks: (directory, names)."""
    out = []
    for dir, _, files in os.walk(copy):
        texts = [open(os.path.join(dir, f), errors="replace").read()
                 for f in files if f.endswith("_test.go")]
        names = [n for t in texts for n in re.findall(r"^func (Benchmark\w+)\(", t, re.M)]
        if (
            names
            and not re.search(r"/(_|testdata|vendor)", dir[len(copy):])
            and not (dir != copy and "go.mod" in files)
        ):
            out.append((os.path.relpath(dir, copy), names))
    return sorted(out)


def build(copy, dir, mode, to, work):
    go = ["go", "test", "-c", "-o", to, "./" + dir]
    if mode == "second-chance":
        none = os.path.join(work, "none")
        if os.path.exists(none):  # a benchmark before crashed
            os.remove(none)
        go = [BIN, "record", "-C", copy, "--second-chance", none, "--"] + go
    elif mode != "plain":
        go = [BIN, "record", "-C", copy, "--copy", mode, "--"] + go
    else:
        go[2:2] = ["-vet=off"]
    r = subprocess.run(go, cwd=copy, capture_output=True, text=True)
    if r.returncode:
        sys.exit("%s of %s: %s" % (mode, dir, r.stderr))


if __name__ == "__main__":
    sys.exit(main())
