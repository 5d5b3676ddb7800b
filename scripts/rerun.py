#!/usr/bin/env python3
"""Measures what check, or the pipeline, costs when little has changed: an unchanged module, and one changed function.

usage: rerun.py [--pipeline] [--edits N] [--seed N] [MODULE@VERSION...]      (build first: make)

For each module (default: those of scripts/modules.sh), with a cache of its own: processor seconds of a run from
nothing, of the same run again, and of runs after a statement was added to a function, for N functions (default:
10) drawn at random, each in turn, all others as they were. The last line adds up all modules. A run is one of check, or,
with --pipeline, of infer trace, infer invariants, check and crash confirm; of a run from nothing, the go command's cache
has the module, but nothing that is made of it.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import popular


def stages(src, top, pipeline):
    """Returns the commands of a run."""
    tool = lambda name: str(popular.ROOT / "bin" / name)
    at = lambda name: str(top / name)
    if not pipeline:
        return [[tool("check"), "-C", str(src), "-o", at("w.json")]]
    return [
        [tool("infer"), "trace", "-C", str(src), "-o", at("trace.jsonl.gz")],
        [tool("infer"), "invariants", "-o", at("invariants.json"), at("trace.jsonl.gz")],
        [tool("check"), "-C", str(src), "--assume", at("invariants.json"), "-o", at("w.json")],
        [tool("crash"), "confirm", "-C", str(src), "--assume", at("invariants.json"), "--trace", at("trace.jsonl.gz"),
         "-o", at("crashes.json"), "--tests", at("tests"), at("w.json")],
    ]


def cost(commands, env):
    """Returns the processor seconds of commands, their children included."""
    return sum(cost_of(c, env) for c in commands)


def cost_of(command, env):
    """Returns the processor seconds of a command, its children included."""
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) > 1:
        raise SystemExit("%s: exit status %d" % (" ".join(command), os.waitstatus_to_exitcode(status)))
    return usage.ru_utime + usage.ru_stime


def functions(src):
    """Returns the files and offsets behind the braces at which functions begin."""
    out = []
    for p in sorted(src.rglob("*.go")):
        if not p.name.endswith("_test.go") and "testdata" not in p.parts:
            out += [(p, m.end()) for m in re.finditer(r"^func .*\{$", p.read_text(errors="surrogateescape"), re.M)]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", action="store_true")
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("module", nargs="*")
    args = parser.parse_args()
    modules = args.module
    if not modules:
        text = (popular.ROOT / "scripts/modules.sh").read_text()
        modules = [l.replace(" ", "@") for l in re.search(r"MODULES='(.*?)'", text, re.S)[1].split("\n")]
    draw = random.Random(args.seed)
    total = [0.0, 0.0, 0.0, 0]
    shown = "%-34s %8s %16s %24s %8s"
    print(shown % ("module", "cold", "unchanged", "a function changed", "at most"))
    for m in modules:
        top = pathlib.Path(tempfile.mkdtemp(prefix="dsd-rerun-"))
        try:
            src = top / "src"
            popular.sources([m], src)
            subprocess.run(["go", "build", "./..."], cwd=src, capture_output=True)
            env = dict(os.environ, DSDCACHE=str(top / "cache"))
            command = stages(src, top, args.pipeline)
            cold, again = cost(command, env), cost(command, env)
            changed = []
            for p, at in draw.sample(functions(src), args.edits):
                before = p.read_text(errors="surrogateescape")
                p.write_text(before[:at] + "\n\tvar changed int\n\t_ = changed" + before[at:], errors="surrogateescape")
                built = subprocess.run(["go", "build", "./..."], cwd=src, capture_output=True).returncode == 0
                if built:
                    changed.append(cost(command, env))
                p.write_text(before, errors="surrogateescape")
            share = lambda x: "%.2f (%.1f%%)" % (x, 100 * x / cold)
            print(shown % (m.split("@")[0].removeprefix("github.com/"), "%.1f" % cold, share(again),
                           share(sum(changed) / len(changed)), "%.1f" % max(changed)), flush=True)
            total = [total[0] + cold, total[1] + again, total[2] + sum(changed) / len(changed), total[3] + len(changed)]
        finally:
            subprocess.run(["chmod", "-R", "u+w", str(top)])
            shutil.rmtree(top, ignore_errors=True)
    print("all: cold %.1f s, unchanged %.1f%%, a function changed %.1f%% (mean of %d)" % (
        total[0], 100 * total[1] / total[0], 100 * total[2] / total[0], total[3]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
