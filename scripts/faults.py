#!/usr/bin/env python3
"""Lets system calls of all commands fail at random, and checks that no document is lost.

usage: faults.py [-n RUNS] [--seed N] [--bin DIR] [--jobs N] [PATTERN...]      (build first: make; needs strace)

Each command runs on a module that the script writes, again and again; each time a system call of the command, or of
what it starts, fails: no room, no files, no memory, no processes, or the disk. strace makes it fail, once or from then
on. Checked are that the command ends within a minute, and neither panics nor prints the stacks of goroutines; that the
document that it was to write is the old one, or a whole new one; that it ends with status 3, or with the status that
it has without a fault, and in the first case says why; and that the module's folder is as before, and TMPDIR is empty.

Without memory and threads Go's runtime ends a program itself, with status 2 and its own words, and the loader of
libraries one that has not begun, with status 127 or SIGSEGV; where writing fails these words may be lost. Of these
runs only the document, the time and the module's folder are checked. An input that cannot be opened or read may also
end a command with status 2. A package that is left out because of a fault is said, and the rest goes on: status 0. Where
no program can write any more, crash cannot see how candidates end.
Commands whose name contains a PATTERN run, by default all.
Exit status 1 if anything was not so.
"""
import argparse
import collections
import concurrent.futures
import json
import gzip
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

os.environ["DSDCACHE"] = "off"  # nothing from earlier runs

import interrupts
from interrupts import OLD, ROOT, digest

interrupts.FUNCTIONS = 8
LIMIT = 60.0

# System calls, the errors with which they fail, and how often each is drawn. Not close: it frees the descriptor even if
# it fails, but not if strace lets it fail.
FAULTS = [
    ("write,pwrite64", ["ENOSPC", "EIO", "EDQUOT"], 6),
    ("openat", ["EMFILE", "ENFILE", "ENOSPC", "EIO"], 4),
    ("renameat,renameat2,rename", ["EIO", "ENOSPC", "EXDEV"], 2),
    ("fsync,fdatasync", ["EIO", "ENOSPC"], 1),
    ("mkdirat,mkdir", ["ENOSPC", "EMFILE"], 1),
    ("ftruncate,fallocate", ["ENOSPC"], 1),
    ("read,pread64", ["EIO"], 2),
    ("pipe2,eventfd2,epoll_create1,memfd_create,socketpair", ["EMFILE", "ENOMEM"], 2),
    ("fork,vfork,clone,clone3", ["EAGAIN", "ENOMEM"], 2),
    ("mmap,brk,mremap", ["ENOMEM"], 2),
    ("execve", ["ENOMEM", "EACCES", "ETXTBSY"], 1),
    ("fstat,newfstatat,statx", ["EIO", "ENOMEM"], 1),
    ("unlinkat,rmdir,unlink", ["EIO"], 1),
]
RUNS = ["crash confirm", "crash random", "crash reproduce", "crash record", "crash replay"]  # commands that run candidates
RUNTIME = re.compile(r"fatal error: |runtime: |out of memory|cannot allocate memory|Resource temporarily unavailable|"
                     r"bad_alloc|runtime/cgo: |failed to (?:create new OS thread|reserve page)")


def commands(bin, dir, docs):
    """Returns the commands of interrupts.py that need no input, and quick ones, which run more often."""
    tool = lambda name: str(bin / name)
    out = [(name, args, 1) for name, args, input in interrupts.commands(bin, dir, docs) if not input and name != "pipeline.sh"]
    return out + [(name, args, 40) for name, args in [
        ("infer invariants, quick", [tool("infer"), "invariants", "-o", "OUT.json", str(docs / "trace.jsonl.gz")]),
        ("infer show", [tool("infer"), "show", "-o", "OUT.txt", str(docs / "invariants.json")]),
        ("crash report", [tool("crash"), "report", "-o", "OUT.txt", str(docs / "crashes.json")]),
        ("crash report, JSON", [tool("crash"), "report", "--format", "json", "-o", "OUT.json", str(docs / "crashes.json")]),
        ("crash report, SARIF", [tool("crash"), "report", "--format", "sarif", "-o", "OUT.json", str(docs / "crashes.json")]),
        ("crash report, HTML", [tool("crash"), "report", "--format", "html", "-o", "OUT.html", str(docs / "crashes.json")]),
        ("crash diff", [tool("crash"), "diff", "-o", "OUT.txt", str(docs / "crashes.json"), str(docs / "crashes.json")]),
        ("infer merge", [tool("infer"), "merge", "-o", "OUT.jsonl.gz", *2 * [str(docs / "trace.jsonl.gz")]]),
    ]]


class Trial:
    """One run of a command with a fault."""

    def __init__(self, base, name, args):
        self.name, self.wrong = name, []
        self.at = pathlib.Path(tempfile.mkdtemp(prefix="trial-", dir=base))
        self.tmp = self.at / "tmp"
        self.tmp.mkdir()
        self.args = [a.replace("OUT", str(self.at / "out")).replace("TESTS", str(self.at / "tests")) for a in args]
        self.out = next(pathlib.Path(a) for a in self.args if a.startswith(str(self.at / "out.")))
        self.out.write_bytes(OLD)

    def run(self, inject=None):
        """Returns the status, None for a run that did not end, and what was printed."""
        env = dict(os.environ, TMPDIR=str(self.tmp))
        trace = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", str(self.at / "calls"), *inject] if inject else []
        with open(self.at / "log", "w") as log:
            child = subprocess.Popen([*trace, *self.args], env=env, stdout=log, stderr=log, start_new_session=True,
                                     stdin=subprocess.DEVNULL)
            try:
                status = child.wait(LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
                status = None
        return status, (self.at / "log").read_text(errors="replace")

    def unwritten(self):
        """Reports whether Go's runtime died since a write failed, and could not say so."""
        return "runtime: netpollBreak" in (self.at / "calls").read_text(errors="replace")

    def fail(self, calls, error, when, plain):
        """Runs with a fault, and checks what becomes of it."""
        inject = ["-e", "trace=" + calls, "-e", "inject=%s:error=%s:when=%s" % (calls, error, when)]
        status, text = self.run(inject)
        say = lambda what: self.wrong.append("%s %s %s: %s; %s" % (calls, error, when, what, text.strip()[-300:]))
        runtime = re.search("loading shared libraries|TLS data structures", text) or status == -11 and "mmap" in calls and not text or \
            status == 2 and ("write" in calls and self.unwritten() or "mmap" in calls and text.startswith("SIGSEGV: ")) or \
            status not in (0, 1, 3) and RUNTIME.search(text) and re.search("mmap|clone|pipe2|openat|write|read", calls)
        if status is None:
            say("not done after %d s" % LIMIT)
        elif not runtime:
            # crash record passes on what the testee prints.
            if re.search(r"^(panic: |goroutine \d+ \[)", text, re.M) and (self.name != "crash record" or re.search(r"^dsd/", text, re.M)):
                say("a panic, status %s" % status)
            elif status == 0 and re.search("cannot (test|search|verify) .*: ", text):
                pass  # a package was left out
            elif status == 0 and "write" in calls and when.endswith("+") and self.name in RUNS:
                pass  # what it runs could not tell how it ended
            elif status not in plain + [3] and not (status == 2 and text.count("\n") == 1 and re.search("open|read|stat|close", calls)):
                say("status %s" % status)
            elif status == 3 and not text.strip() and "write" not in calls:
                say("status 3 without a word")
        self.document(say)
        if "unlink" not in calls and not runtime and status is not None:
            for f in self.tmp.iterdir():
                say("%s is left in TMPDIR" % f.name)
            for f in self.at.iterdir():
                if f.name not in ("tmp", "log", "calls", "tests", self.out.name):
                    say("%s is left beside the document" % f.name)
        subprocess.run(["chmod", "-R", "u+w", str(self.at)])
        shutil.rmtree(self.at, ignore_errors=True)
        return self, "none" if status is None else "runtime" if runtime else str(status)

    def document(self, say):
        """Checks that the document is the old one, or a whole one."""
        try:
            text = self.out.read_bytes()
        except OSError as err:
            say("the document is lost: %s" % err)
            return
        if text == OLD:
            return
        try:
            if self.out.suffix == ".gz":
                for line in gzip.decompress(text).splitlines():
                    json.loads(line)
            elif self.out.suffix == ".json":
                json.loads(text)
            elif self.out.suffix == ".html" and not text.rstrip().endswith(b"</html>") or not text.endswith(b"\n"):
                say("the document is cut")
        except (OSError, EOFError, ValueError) as err:
            say("the document is cut: %s" % err)


def draw(source):
    """Returns a fault."""
    calls, errors, _ = source.choices(FAULTS, [w for _, _, w in FAULTS])[0]
    n = min(int(source.paretovariate(0.6)), 400)
    return calls, source.choice(errors), source.choice(["%d", "%d", "%d+"]) % n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=400, help="runs over all commands (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", default=str(ROOT / "bin"), help="directory of the commands")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_args()
    if not shutil.which("strace"):
        parser.error("strace is not installed (apt-get install strace)")
    source, bin = random.Random(args.seed), pathlib.Path(args.bin).resolve()
    base = pathlib.Path(tempfile.mkdtemp(prefix="dsd-faults-"))
    # The go command keeps what it could not read of a package, so that later builds with the same cache fail, too.
    os.environ["GOCACHE"] = str(base / "gocache")
    os.environ["GODEBUG"] = "goindex=0"
    wrong = 0
    try:
        dir, docs = base / "box", base / "docs"
        interrupts.module(dir)
        interrupts.prepare(bin, dir, docs)
        before = digest(dir)
        chosen = [c for c in commands(bin, dir, docs) if not args.pattern or any(p in c[0] for p in args.pattern)]
        shares = sum(w for _, _, w in chosen)
        for name, line, weight in chosen:
            status, text = Trial(base, name, line).run()
            if status not in (0, 1):
                print("%s ends with status %s without a fault: %s" % (name, status, text.strip()[-200:]))
                wrong += 1
                continue
            faults = [draw(source) for _ in range(max(1, args.n * weight // shares))]
            began = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                done = list(pool.map(lambda f: Trial(base, name, line).fail(*f, [status]), faults))
            ends = collections.Counter(e for _, e in done)
            bad = [t for t, _ in done if t.wrong]
            print("%-26s %5d runs, %4.0f s, ends %s, %d not as expected" %
                  (name, len(done), time.monotonic() - began, dict(sorted(ends.items())), len(bad)), flush=True)
            for t in bad:
                print("    " + "\n    ".join(w.replace("\n", "\n        ") for w in t.wrong), flush=True)
            wrong += len(bad)
            if digest(dir) != before:
                print("    the module's folder is not as before")
                wrong += 1
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
