#!/usr/bin/env python3
"""Keeps the tests of crashes in copies of their modules, and tries them.

usage: keep.py [--guards N] DIR=CRASHES...      (build first: make)

DIR is a module, and CRASHES the document of its crashes. In a copy of the module, `crash keep all` writes the tests;
they must compile, `go vet` and staticcheck must find nothing in them, and each must fail with the text of its panic.
Then, for N crashes (default: 20), a statement that leaves the function is written before the line that panics
(scripts/guard), or, if that leads to another panic, before the calls around it, and the test must pass. Prints what is not so, and counts. Exit status 1 if anything is not.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*cmd, cwd, timeout=300):
    try:
        p = subprocess.run([str(c) for c in cmd], cwd=cwd, capture_output=True, text=True, errors="replace", timeout=timeout)
        return p.returncode, p.stdout + p.stderr
    except subprocess.TimeoutExpired:
        return 124, "timeout"


def shown(message, out):
    """Tells whether a test printed a message.

    Addresses, the names of the test's own types and that of its program may be others. The runtime prints a value that
    is no error by its address, or that printing it panics: the test prints its fields, or the panic.
    """
    if re.match(r"\(\*?[\w./]+\) 0x[0-9a-f]+$", message) or message.startswith("panic while printing panic value"):
        return "--- FAIL" in out
    other = "\ue000"
    pattern = re.sub(r"0x[0-9a-f]+|[\w.]*\.crash\w*|\w+\.test\b", other, message)
    return re.search("[\\w.*/-]+".join(re.escape(part) for part in pattern.split(other)), out) is not None


def keep(src, doc, guards, guard, count, say, staticcheck):
    with tempfile.TemporaryDirectory(prefix="dsd-keep-") as top:
        m = pathlib.Path(top) / "m"
        shutil.copytree(src, m)
        subprocess.run(["chmod", "-R", "u+w", str(m)], check=True)
        crashes = json.load(open(doc))["crashes"]
        kept = []
        for c in crashes:
            status, out = run(ROOT / "bin/crash", "keep", "-C", m, c["id"], os.path.abspath(doc), cwd=top)
            found = re.match(r"(\S+): go test -run '\^(\w+)\$' (\S+)", out)
            if status or not found:
                say(f"{c['id']} is not kept: {out.strip()}")
                continue
            kept.append((c, found[2], found[3]))
        count["kept"] += len(kept)
        for pkg in sorted({k[2] for k in kept}):
            status, out = run("go", "vet", pkg, cwd=m)
            mine = [line for line in out.splitlines() if re.search(r"crash\w*_test\.go:\d+", line)]
            if mine:
                say("vet: " + mine[0])
            if staticcheck:
                status, out = run(staticcheck, pkg, cwd=m)
                mine = [line for line in out.splitlines() if re.search(r"crash\w*_test\.go:\d+", line)]
                if mine:
                    say("staticcheck: " + mine[0])
        for c, name, pkg in kept:
            status, out = run("go", "test", "-vet=off", "-count=1", "-run", f"^{name}$", pkg, cwd=m)
            message = c["message"].split("\n")[0]
            if len(message) > 60:  # whole words
                message = re.sub(r"\w*$", "", message[:60]) or message
            if status != 1 or not shown(message, out) and c["kind"] != "stack-overflow":
                say(f"{c['id']} {name} does not fail with {message!r}: {out[:300]!r}")
                continue
            count["fail"] += 1
            if count["guarded"] + count["not guarded"] >= guards or "@" in c["pos"] or c["kind"] == "stack-overflow":
                continue
            # Before the line that panics; where another panic takes its place, before the calls around it.
            for frame in c["stack"]:
                file, line = frame["pos"].split(":")[:2]
                before = (m / file).read_bytes()
                run(guard, m / file, line, cwd=m)
                status, out = run("go", "test", "-vet=off", "-count=1", "-run", f"^{name}$", pkg, cwd=m)
                (m / file).write_bytes(before)
                if status == 0 or f"{os.path.basename(file)}:{line}" in out:
                    break
            if status == 0:
                count["guarded"] += 1
            else:
                count["not guarded"] += 1
                say(f"{c['id']} {name} fails after guards: {out[:300]!r}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--guards", type=int, default=20)
    ap.add_argument("module", nargs="+")
    a = ap.parse_args()
    count, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="dsd-guard-") as top:
        guard = pathlib.Path(top) / "guard"
        subprocess.run(["go", "build", "-o", guard, "./scripts/guard"], cwd=ROOT, check=True)
        staticcheck = shutil.which("staticcheck")
        if not staticcheck:
            version = re.search(r"^STATICCHECK = (\S+)", (ROOT / "Makefile").read_text(), re.M)[1]
            if subprocess.run(["go", "install", version], cwd=top, env={**os.environ, "GOBIN": top}).returncode == 0:
                staticcheck = pathlib.Path(top) / "staticcheck"
            else:
                print("keep.py: staticcheck cannot be had: it is left out", file=sys.stderr)
        for arg in a.module:
            src, doc = arg.split("=")

            def say(text):
                nonlocal wrong
                wrong += 1
                print(f"{os.path.basename(src)}: {text}", flush=True)
            keep(src, doc, a.guards, guard, count, say, staticcheck)
            print(f"{os.path.basename(src)}: {dict(count)} so far", flush=True)
    print(f"kept {count['kept']}, of which {count['fail']} fail as they should; passing after a guard: "
          f"{count['guarded']} of {count['guarded'] + count['not guarded']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
