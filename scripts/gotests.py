#!/usr/bin/env python3
"""Runs check on the programs of Go's own test folder that end without a panic, and says where it is
wrong about them.

usage: gotests.py [-o DIR] [--bin DIR] [--jobs N] [--every N] [PATTERN...]  (build first: make)

The programs are the files of $(go env GOROOT)/test that begin with "// run" and have no arguments or
build constraints: each is a module of its own, and exits with status 0. A warning with a
counterexample at main or an init function, whose inputs nobody chooses, is therefore false. The
documents go to DIR, and the report to standard output:

  false     each such warning: program, position, kind, message
  internal  functions that are skipped because of an internal error
  skipped   why functions are skipped, and how many

The last line sums up. The exit status is 1 if there are more than --max false warnings, an internal
error or a program that is not checked. With --every N, only every N-th program is checked; with
PATTERNs, those whose names contain one.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ["DSDCACHE"] = "off"  # nothing from earlier runs

HERE = os.path.dirname(os.path.abspath(__file__))


def programs(root):
    """Returns the names of the programs, sorted."""
    out = []
    for folder, _, files in os.walk(root):
        for f in files:
            name = os.path.join(folder, f)
            if not f.endswith(".go") or ".dir" in folder:
                continue
            with open(name, errors="replace") as src:
                head = src.read(4000)
            lines = head.split("\n")
            if lines[0].strip() != "// run" or re.search(r"^//(go:build| \+build)", head, re.M):
                continue
            if re.search(r"^package main\b", head, re.M):
                out.append(os.path.relpath(name, root))
    return sorted(out)


def check(a, root, name, *flags):
    """Checks a program; returns its document, or the error."""
    work = os.path.join(a.o, name.removesuffix(".go").replace("/", "_"))
    os.makedirs(work, exist_ok=True)
    with open(os.path.join(root, name), "rb") as src, open(work + "/main.go", "wb") as dst:
        dst.write(src.read())
    with open(work + "/go.mod", "w") as f:
        f.write("module example.com/program\n\ngo 1.26\n")
    out = work + "/warnings.json"
    if os.path.exists(out):
        os.remove(out)
    begin = time.monotonic()
    try:
        p = subprocess.run([a.bin + "/check", "-C", work, "-j", "1", "-o", out, *flags, "."],
                           capture_output=True, text=True, errors="replace", timeout=a.limit)
        error = p.stderr.strip().split("\n")[-1] if p.returncode > 1 else ""
    except subprocess.TimeoutExpired:
        error = f"not done after {a.limit} s"
    try:
        with open(out) as f:
            doc = json.load(f)
    except (OSError, ValueError):
        doc = {}
    return name, doc, error, time.monotonic() - begin


def select(parser, scratch):
    """Parses the arguments; returns them, the folder of the programs and the names of those to check.
    Without such a folder the script ends: distributions may leave it out."""
    parser.add_argument("-o", help="keep the documents in DIR")
    parser.add_argument("--bin", default=os.path.join(HERE, "../bin"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=int, default=120, help="seconds for a program")
    parser.add_argument("pattern", nargs="*")
    a = parser.parse_args()
    a.o, a.bin = os.path.abspath(a.o or scratch), os.path.abspath(a.bin)
    goroot = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True,
                            check=True).stdout.strip()
    root = goroot + "/test"
    if not os.path.isdir(root):
        print(f"{parser.prog}: {root} does not exist: nothing is checked", file=sys.stderr)
        sys.exit(0)
    names = [n for n in programs(root) if not a.pattern or any(p in n for p in a.pattern)]
    return a, root, names[::a.every]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--max", type=int, default=30)
    scratch = tempfile.TemporaryDirectory(prefix="gotests-")
    a, root, names = select(parser, scratch.name)
    wrong, functions, seconds, errors = 0, 0, 0.0, 0
    skipped = collections.Counter()
    internal = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for name, doc, error, took in pool.map(lambda n: check(a, root, n), names):
            seconds += took
            if error:
                errors += 1
                print(f"error     {name}: {error}")
            functions += doc.get("functions", 0)
            for s in doc.get("skipped", []):
                skipped[s["reason"]] += 1
                if "internal error" in s["reason"]:
                    internal.append((name, s["func"], s["reason"]))
            for w in doc.get("warnings", []):
                if w["status"] == "sat" and re.search(r"\.(main|init(\.\d+)?)$", w["func"]):
                    wrong += 1
                    pos = w["pos"].removeprefix("main.go:")
                    print(f"false     {name}:{pos}: {w['kind']}: {w.get('message', '')}")
    for name, func, reason in internal:
        print(f"internal  {name}: {func}: {reason}")
    for reason, n in skipped.most_common():
        print(f"skipped   {n} {reason}")
    share = 100 * sum(skipped.values()) / max(functions, 1)
    print(f"{len(names)} programs, {functions} functions in {seconds:.0f} s: {wrong} false warnings at "
          f"main or init, {len(internal)} internal errors, {sum(skipped.values())} functions skipped "
          f"({share:.1f}%), {errors} programs not checked")
    return 1 if wrong > a.max or internal or errors else 0


if __name__ == "__main__":
    sys.exit(main())
