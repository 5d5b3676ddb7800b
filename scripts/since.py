#!/usr/bin/env python3
"""Times check --since for pull requests of a few changed functions, drawn at random.

usage: since.py [--functions N] [--draws N] [--first N] [--cache DIR] [--budget D] DIR...      (build first: make)

DIR is a module. In a copy of it with a git repository of its own, N functions (default: 5) get a statement; then `check
--since` runs, without a cache, or with that folder as DSDCACHE, which a run of check on DIR before should have filled.
Prints how many functions are checked, how many the budget did not reach, and the seconds of each draw, and the median.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FUNC = re.compile(rb"^func [^\n]*\{\n", re.M)
STATEMENT = b'\tvar changed [3]int\n\t_ = changed[len("ab")]\n'


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--functions", type=int, default=5)
    ap.add_argument("--draws", type=int, default=5)
    ap.add_argument("--first", type=int, default=0, help="the number of the first draw")
    ap.add_argument("--cache")
    ap.add_argument("--budget")
    ap.add_argument("dir", nargs="+")
    a = ap.parse_args()
    budget = ["--budget", a.budget] if a.budget else []
    for dir in a.dir:
        with tempfile.TemporaryDirectory(prefix="dsd-since-") as top:
            m = pathlib.Path(top) / "m"
            shutil.copytree(dir, m, ignore=shutil.ignore_patterns(".git"))
            subprocess.run(["chmod", "-R", "u+w", str(m)], check=True)
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
            subprocess.run([*git, "init", "-q"], cwd=m, check=True)
            subprocess.run([*git, "add", "-A"], cwd=m, check=True)
            subprocess.run([*git, "commit", "-qm", "as it is"], cwd=m, check=True)
            files = sorted(f for f in m.rglob("*.go") if not f.name.endswith("_test.go") and
                           not {"testdata", "vendor"} & set(f.relative_to(m).parts) and
                           not any(p[0] in "._" for p in f.relative_to(m).parts))
            lines = sum(f.read_bytes().count(b"\n") for f in files)
            places = [(f, x.end()) for f in files for x in FUNC.finditer(f.read_bytes())]
            print(f"{os.path.basename(dir)}: {lines} lines, {len(places)} functions")
            seconds = []
            for draw in range(a.first, a.first + a.draws):
                drawn = random.Random(draw).sample(places, a.functions)
                before = {f: f.read_bytes() for f, _ in drawn}
                for f, at in sorted(drawn, key=lambda d: -d[1]):
                    text = f.read_bytes()
                    f.write_bytes(text[:at] + STATEMENT + text[at:])
                begin = time.monotonic()
                p = subprocess.run([ROOT / "bin/check", "--since", "HEAD", "--format", "text", *budget, "./..."], cwd=m,
                                   env={**os.environ, "DSDCACHE": a.cache or "off"}, capture_output=True, text=True)
                seconds.append(time.monotonic() - begin)
                checked = re.search(r"(\d+) functions? checked", p.stdout + p.stderr)
                missed = sum(int(n or 1) for n in re.findall(r"skipped(?: (\d+))?:.*not reached within the budget", p.stdout + p.stderr))
                print(f"  draw {draw}: {checked[1] if checked else '?'} functions, {missed} not reached, {seconds[-1]:.1f} s",
                      flush=True)
                for f, text in before.items():
                    f.write_bytes(text)
            print(f"  median: {statistics.median(seconds):.1f} s")


if __name__ == "__main__":
    main()
