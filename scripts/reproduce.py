#!/usr/bin/env python3
"""Runs crash reproduce on a folder of cases under several settings, and prints a table. A cell has
the number of stack frames of the crashed module that the test reproduces, the number of its frames
in the text of the panic, and the seconds after which the test was found.

usage: reproduce.py [-t SECONDS] [--keep DIR] [--endless] [--set NAME=FLAGS]... DIR [case...]

Build first: make. A case is a folder of DIR with panic.txt; repro/go.mod (and go.sum), which
requires the module that crashed; and case.json, whose "package" is the package to import.

The last lines have, per setting: the cases that are reproduced, with all frames of the module, and
by sequences of calls that a user could write; the median of the seconds; the median over the cases
of the fitness evaluations per second of one search worker, for searches of more than a second; the
number of solver queries, and their seconds. The default settings are: all strategies, each strategy
alone, and the search with no seeding, with tests, and with usage models.
"""
import argparse, json, os, re, shutil, statistics, subprocess, sys, tempfile

SETTINGS = [
    "all=", "values=--strategies values", "search=--strategies values,search",
    "solve=--strategies solve",
    "none=--strategies values,search --seeding none",
    "tests=--strategies values,search --seeding tests",
    "models=--strategies values,search --seeding models",
]
BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bin", "crash")


def application(case, to):
    """Write a program with the requirements of the case, and report whether it builds."""
    about = json.load(open(os.path.join(case, "case.json")))
    package = about["package"]
    # it cannot be imported, so import the module's entry point
    if "internal" in package.split("/"):
        entry = about["entry"]
        package = entry[: entry.index(".", entry.rfind("/"))]
    os.makedirs(to)
    for name in ("go.mod", "go.sum"):
        if os.path.exists(os.path.join(case, "repro", name)):
            shutil.copy(os.path.join(case, "repro", name), to)
    with open(os.path.join(to, "main.go"), "w") as f:
        f.write('package main\n\nimport _ "%s"\n\nfunc main() {}\n' % package)
    return subprocess.run(
        ["go", "build", "-mod=mod", "-o", os.devnull, "."], cwd=to, capture_output=True
    ).returncode == 0


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("-t", type=int, default=20,
                    help="seconds for one case under one setting (default 20)")
    ap.add_argument("--set", action="append", dest="settings", help="NAME=FLAGS of crash reproduce")
    ap.add_argument("--keep", metavar="DIR", help="keep the documents below DIR: SETTING/CASE.json")
    ap.add_argument("--endless", action="store_true",
                    help="search for a division by zero at the same lines instead, so that "
                    "searches do not end: measures evaluations per second")
    ap.add_argument("dir")
    ap.add_argument("case", nargs="*")
    a = ap.parse_args()
    settings = [s.split("=", 1) for s in a.settings or SETTINGS]
    ids = a.case or sorted(
        d for d in os.listdir(a.dir) if os.path.exists(os.path.join(a.dir, d, "panic.txt"))
    )
    print("%-26s" % "case", *("%-12s" % name for name, _ in settings), flush=True)
    results = {name: [] for name, _ in settings}
    with tempfile.TemporaryDirectory() as work:
        for i in ids:
            case, app = os.path.join(a.dir, i), os.path.join(work, i)
            if not application(case, app):
                print("%-26s the program does not build" % i, flush=True)
                continue
            cells = []
            with open(os.path.join(case, "panic.txt")) as f:
                panic = f.read()
            if a.endless:
                panic = re.sub(r"(?m)^(panic:|fatal error:|runtime: goroutine stack exceeds).*$",
                               "panic: runtime error: integer divide by zero", panic, count=1)
            for name, flags in settings:
                command = [BIN, "reproduce", "-C", app, "--timeout", "%ds" % a.t] + flags.split()
                r = subprocess.run(command, input=panic, capture_output=True, text=True)
                try:
                    doc = json.loads(r.stdout)
                except ValueError:
                    cells.append("exit %d" % r.returncode)
                    continue
                if a.keep:
                    os.makedirs(os.path.join(a.keep, name), exist_ok=True)
                    with open(os.path.join(a.keep, name, i + ".json"), "w") as f:
                        f.write(r.stdout)
                results[name].append(doc)
                if not doc["crashes"]:
                    cells.append("-")
                    continue
                c = doc["crashes"][0]
                cells.append("%d/%d %.1fs" % (
                    c["level"], doc["reproduction"]["levels"], c["found_after"]
                ))
            print("%-26s" % i, *("%-12s" % c for c in cells), flush=True)
    for title, row in ROWS:
        print("%-26s" % title, *("%-12s" % row(results[name]) for name, _ in settings))


def crashes(docs):
    return [(d["crashes"][0], d["reproduction"]) for d in docs if d["crashes"]]


def rate(docs):
    rates = []
    for d in docs:
        searches = [s for s in d["reproduction"]["searches"] if s["strategy"] == "search"]
        seconds = sum(s["seconds"] for s in searches)
        if seconds > 1:
            rates.append(sum(s["candidates"] for s in searches) / seconds)
    return "%.0f (%d)" % (statistics.median(rates), len(rates)) if rates else "-"


def solving(docs):
    return [s for d in docs for s in d["reproduction"]["searches"] if s["strategy"] == "solve"]


ROWS = [
    ("reproduced", lambda docs: len(crashes(docs))),
    ("all frames", lambda docs: sum(c["level"] >= r["levels"] for c, r in crashes(docs))),
    ("by sequences", lambda docs: sum(c["built_by"] == "sequence" for c, _ in crashes(docs))),
    ("median seconds", lambda docs:
     "%.1f" % statistics.median(c["found_after"] for c, _ in crashes(docs))
     if crashes(docs) else "-"),
    ("evaluations/s (cases)", rate),
    ("queries", lambda docs: sum(s.get("queries", 0) for s in solving(docs))),
    ("seconds of solving", lambda docs: "%.0f" % sum(s["seconds"] for s in solving(docs))),
]


if __name__ == "__main__":
    sys.exit(main())
