#!/usr/bin/env python3
"""Checks modules of growing size, and prints how time and memory grow with their lines.

usage: ladder.py [--budget DURATION] [--limit SECONDS] [-j N] [MODULE@VERSION...]      (build first: make)

For each module: lines of Go without tests, functions checked and skipped, warnings, seconds, seconds for a
thousand lines, and the peak memory of check in MiB. The default is a ladder from 3,000 to 500,000 lines.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import popular

LADDER = [
    "github.com/spf13/viper@v1.21.0",
    "github.com/spf13/cobra@v1.9.1",
    "github.com/emirpasic/gods@v1.18.1",
    "github.com/go-git/go-git/v5@v5.16.4",
    "github.com/gohugoio/hugo@v0.152.2",
    "github.com/aws/aws-sdk-go-v2/service/ec2@v1.275.0",
]


def lines(dir):
    """Returns the number of lines of the Go files in a module that are no tests."""
    return sum(p.read_bytes().count(b"\n") for p in dir.rglob("*.go")
               if not p.name.endswith("_test.go") and "testdata" not in p.parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", help="of check")
    parser.add_argument("--limit", type=float, default=0, help="interrupt check after that many seconds")
    parser.add_argument("-j", default="2")
    parser.add_argument("module", nargs="*")
    args = parser.parse_args()
    top = pathlib.Path(tempfile.mkdtemp(prefix="dsd-ladder-"))
    shown = "%-42s %8s %9s %8s %8s %8s %8s %6s"
    print(shown % ("module", "lines", "functions", "skipped", "warnings", "seconds", "s/kline", "MiB"))
    try:
        for m in args.module or LADDER:
            src, doc = top / "src", top / "warnings.json"
            popular.sources([m], src)
            # What the module imports is compiled before, as it is wherever somebody works on it.
            subprocess.run(["go", "build", "./..."], cwd=src, capture_output=True)
            command = [popular.ROOT / "bin/check", "-C", src, "-j", args.j, "-o", doc]
            command += ["--budget", args.budget] if args.budget else []
            status, seconds, mib = popular.measured([str(c) for c in command], top / "log", args.limit)
            w, n = popular.load(doc), lines(src)
            print(shown % (m.split("@")[0].removeprefix("github.com/"), n, w.get("functions"), len(w.get("skipped", [])),
                           len(w.get("warnings", [])), round(seconds, 1), "%.2f" % (1000 * seconds / n), round(mib))
                  + ("  incomplete" if w.get("incomplete") else "") + ("" if status in (0, 1, 3) else "  status %d" % status),
                  flush=True)
            shutil.rmtree(src)
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(top)])
        shutil.rmtree(top, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
