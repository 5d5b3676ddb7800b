#!/usr/bin/env python3
"""Runs the pipeline on forty popular modules of all kinds, and prints a table of what came out.

usage: popular.py [-o DIR] [--budget DURATION] [--limit SECONDS] [PATTERN...]      (build first: make)

The modules are those of scripts/popular.tsv whose line contains a PATTERN, by default all. Each is copied
out of the module cache; several in one line become a workspace. A row has the functions checked and
skipped, the tests left out of the trace, seconds, peak memory, and crashes by rank. Documents and messages
go to DIR/NAME and are kept, and a module whose row is there is not run again; without -o they are
removed. Exit status 1 if a pipeline ends with another status than 0 or 1, does not end within the limit,
or changes a file of its module.
"""
import argparse
import collections
import gzip
import hashlib
import json
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

os.environ["DSDCACHE"] = "off"  # nothing from earlier runs

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANKS = ["likely-bug", "look", "contract", "unreachable"]


def sources(modules, to):
    """Copies modules out of the module cache; several get a go.work."""
    to.mkdir(parents=True)
    for m in modules:
        with tempfile.TemporaryDirectory() as empty:
            got = subprocess.run(["go", "mod", "download", "-json", m], cwd=empty, capture_output=True, text=True,
                                 env=dict(os.environ, GO111MODULE="on", GOFLAGS="-mod=mod"))
        found = json.loads(got.stdout or "{}")
        if "Dir" not in found:
            raise SystemExit("%s: %s" % (m, found.get("Error", got.stderr.strip())))
        dir = to if len(modules) == 1 else to / pathlib.Path(m.split("@")[0]).name
        shutil.copytree(found["Dir"], dir, dirs_exist_ok=True)
        subprocess.run(["chmod", "-R", "u+w", str(dir)], check=True)
        if not (dir / "go.mod").exists():
            (dir / "go.mod").write_text("module %s\n\ngo 1.21\n" % m.split("@")[0])
            subprocess.run(["go", "mod", "tidy"], cwd=dir, capture_output=True)
        (dir / "go.work").unlink(missing_ok=True)  # its other modules are not in the module cache
        shutil.rmtree(dir / "vendor", ignore_errors=True)  # of which only the list is
        mod = json.loads(subprocess.run(["go", "mod", "edit", "-json"], cwd=dir, capture_output=True, text=True, check=True).stdout)
        for r in mod.get("Replace") or []:
            if not r["New"].get("Version") and not (dir / r["New"]["Path"]).exists():  # the same
                subprocess.run(["go", "mod", "edit", "-dropreplace", r["Old"]["Path"]], cwd=dir, check=True)
        subprocess.run(["go", "mod", "download"], cwd=dir, capture_output=True)
    if len(modules) > 1:
        subprocess.run(["go", "work", "init"] + sorted("./" + p.name for p in to.iterdir()), cwd=to, check=True)


def digest(root):
    """Returns a digest of all files below a folder."""
    h = hashlib.sha256()
    for p in sorted(root.rglob("*")):
        h.update(str(p.relative_to(root)).encode())
        if p.is_file() and not p.is_symlink():
            h.update(p.read_bytes())
    return h.hexdigest()


def measured(command, log, limit):
    """Runs a command; returns its exit status, seconds and peak memory in MiB."""
    begin = time.monotonic()
    with open(log, "w") as out:
        child = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True,
                                 env=dict(os.environ, GOWORK=""))
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_maxrss / 1024
            if limit and time.monotonic() - begin > limit:
                os.killpg(child.pid, signal.SIGTERM)
                limit += 10
                if time.monotonic() - begin > limit:
                    os.killpg(child.pid, signal.SIGKILL)
            time.sleep(0.2)


def load(path):
    try:
        return json.load(open(path))
    except (OSError, ValueError):
        return {}


def row(kind, modules, dir, budget, limit):
    """Runs the pipeline on one line of the list."""
    src, out = dir / "src", dir / "out"
    sources(modules, src)
    before = digest(src)
    status, seconds, mib = measured([str(ROOT / "pipeline.sh"), "--budget", budget, "-C", str(src), "-o", str(out)],
                                    dir / "log", limit)
    warnings, crashes, left = load(out / "warnings.json"), load(out / "crashes.json"), 0
    try:
        left = len(json.loads(gzip.open(out / "trace.jsonl.gz").readline()).get("left_out", []))
    except (OSError, ValueError):
        left = None
    ranks = collections.Counter(c.get("rank") for c in crashes.get("crashes", []))
    return {"kind": kind, "modules": " ".join(modules), "status": status, "functions": warnings.get("functions"),
            "skipped": len(warnings.get("skipped", [])), "warnings": len(warnings.get("warnings", [])),
            "left_out": left, "seconds": round(seconds), "mib": round(mib),
            "crashes": [ranks.get(r, 0) for r in RANKS], "changed": digest(src) != before,
            "incomplete": bool(warnings.get("incomplete") or crashes.get("incomplete"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", help="keep documents, messages and rows in this folder")
    parser.add_argument("--budget", default="1m", help="of each pipeline (default: 1m)")
    parser.add_argument("--limit", type=float, default=0, help="seconds for each pipeline (default: none)")
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_args()
    top = pathlib.Path(args.o or tempfile.mkdtemp(prefix="dsd-popular-")).resolve()
    lines = [l.rstrip("\n").split("\t") for l in open(ROOT / "scripts/popular.tsv") if not l.startswith("#")]
    wrong = 0
    shown = "%-16s %-52s %6s %7s %8s %5s %7s %6s  %s"
    print(shown % ("kind", "module", "status", "funcs", "skipped", "left", "seconds", "MiB", "likely/look/contract/unreachable"))
    try:
        for kind, names in lines:
            if args.pattern and not any(p in names or p in kind for p in args.pattern):
                continue
            modules = names.split()
            dir = top / modules[0].split("@")[0].replace("/", "_")
            r = load(dir / "row.json")
            if not r:
                shutil.rmtree(dir, ignore_errors=True)
                dir.mkdir(parents=True)
                # In a process of its own: the peak memory of a child includes that of its parent when it began.
                with multiprocessing.get_context("fork").Pool(1) as pool:
                    r = pool.apply(row, (kind, modules, dir, args.budget, args.limit))
                (dir / "row.json").write_text(json.dumps(r))
            ok = r["status"] in (0, 1) and not r["changed"]
            wrong += not ok
            print(shown % (kind, " ".join(m.split("@")[0].removeprefix("github.com/") for m in modules), r["status"],
                           r["functions"], r["skipped"], "all" if r["left_out"] is None else r["left_out"], r["seconds"], r["mib"],
                           "/".join(map(str, r["crashes"]))) + ("" if ok else "  WRONG"), flush=True)
    finally:
        if not args.o:
            subprocess.run(["chmod", "-R", "u+w", str(top)])
            shutil.rmtree(top, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
