#!/usr/bin/env python3
"""Compares the ranks of the crashes of two runs.

usage: ranks.py [--time D] [--candidates N] [--warnings] DIR[=DOCUMENTS]...      (build first: make)

DIR is a module, and DOCUMENTS the folder of its documents (pipeline.sh -o): invariants.json is assumed. Runs `crash
random` twice for D (default: 10s), or for N candidates of each package, with one job and with two; with --warnings also
`crash confirm` on warnings.json. Prints which crashes have another rank in the second run, and counts. Exit status 1 if
there are any.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def ranks(cmd, out):
    """Runs a command of crash; returns the ranks of the crashes. What it says goes to standard error."""
    env = {**os.environ, "DSDCACHE": "off"}
    p = subprocess.run([ROOT / "bin/crash", cmd[0], "-o", out, *cmd[1:]], env=env, capture_output=True, text=True, errors="replace")
    if p.returncode not in (0, 1):
        print(f"crash {' '.join(map(str, cmd))}: {p.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    print(p.stderr, end="", file=sys.stderr)
    doc = json.load(open(out))
    return {(c["kind"], c["pos"], c["func"]): c["rank"] for c in doc["crashes"]}


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--time", default="10s")
    ap.add_argument("--candidates")
    ap.add_argument("--warnings", action="store_true")
    ap.add_argument("modules", nargs="+")
    a = ap.parse_args()
    both, other = 0, 0
    with tempfile.TemporaryDirectory(prefix="dsd-ranks-") as top:
        for module in a.modules:
            dir, _, documents = module.partition("=")
            amount = ["--candidates", a.candidates] if a.candidates else ["--time", a.time]
            assume = ["--assume", f"{documents}/invariants.json"] if documents and os.path.exists(f"{documents}/invariants.json") else []
            commands = [["random", "-C", dir, *amount, *assume]]
            if a.warnings and os.path.exists(f"{documents}/warnings.json"):
                commands.append(["confirm", "-C", dir, *assume, f"{documents}/warnings.json"])
            for cmd in commands:
                first, second = (ranks([*cmd[:3], *(["-j", j] if a.candidates else []), *cmd[3:]], f"{top}/{j}.json") for j in "12")
                for c in sorted(first.keys() & second.keys()):
                    both += 1
                    if first[c] != second[c]:
                        other += 1
                        print(f"{dir}: {cmd[0]}: {' '.join(c)}: {first[c]}, then {second[c]}")
                print(f"{dir}: {cmd[0]}: {len(first)} crashes, then {len(second)}, {len(first.keys() & second.keys())} of both runs", flush=True)
    print(f"{both} crashes of both runs, {other} with another rank")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
