#!/usr/bin/env python3
"""Interrupts all commands at random moments, and checks that nothing is lost and nothing is left.

usage: interrupts.py [-n MOMENTS] [--seed N] [--bin DIR] [--jobs N] [PATTERN...]      (build first: make)

Each command runs once to its end on a module that the script writes, to learn how long it takes, and then
again and again; each time it gets SIGINT or SIGTERM at a random moment. Checked are that it ends within
two seconds with status 3 (130 for pipeline.sh) or as it does without a signal; that the document that it
was to write is the old one, or a whole new one, marked incomplete if the status is 3; that no child of
it runs on, the module's folder is as before, and TMPDIR is empty. Commands whose name contains a PATTERN
run, by default all. Exit status 1 if anything was not so.
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

os.environ["DSDCACHE"] = "off"  # nothing from earlier runs

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLD = b'{"old": true}\n'
PATIENCE = 2.0  # seconds from the signal to the end
BEGIN = 0.1  # seconds until a program handles signals, on a loaded machine

FUNCTIONS = 160
SHAPES = [
    ("func F{n}(s []int, i int) int {{\n\treturn s[i]\n}}", "F{n}([]int{{1, 2, 3}}, 1)"),
    ("func F{n}(a, b int) int {{\n\tif b == {n} {{\n\t\treturn a\n\t}}\n\treturn a / b\n}}", "F{n}(6, 2)"),
    ("func (b *Box) F{n}() byte {{\n\tc := b.data[b.at]\n\tb.at++\n\treturn c\n}}", "NewBox(\"abc\").F{n}()"),
    ("func F{n}(s string, from, to int) string {{\n\treturn s[from:to]\n}}", "F{n}(\"hello\", 1, 3)"),
]


def module(dir):
    """Writes the module."""
    dir.mkdir()
    (dir / "go.mod").write_text("module example.com/box\n\ngo 1.24\n")
    code = ["package box\n\n// Box is a text that is read.\ntype Box struct {\n\tdata []byte\n\tat   int\n}\n\n"
            "func NewBox(s string) *Box { return &Box{data: []byte(s)} }\n"]
    calls = []
    for n in range(FUNCTIONS):
        text, call = SHAPES[n % len(SHAPES)]
        code.append(text.format(n=n) + "\n")
        calls.append("\t" + call.format(n=n))
    (dir / "box.go").write_text("\n".join(code))
    (dir / "box_test.go").write_text("package box\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\n"
                                     "func TestAll(t *testing.T) {\n" + "\n".join(calls) +
                                     "\n\ttime.Sleep(time.Second)\n}\n\nfunc TestCrash(t *testing.T) {\n"
                                     "\tdefer func() { recover() }()\n\tF0(nil, 3)\n}\n")
    (dir / "cmd").mkdir()
    (dir / "cmd/main.go").write_text("package main\n\nimport (\n\t\"time\"\n\n\t\"example.com/box\"\n)\n\n"
                                     "func main() {\n\ttime.Sleep(time.Second)\n\tbox.F0(nil, 5)\n}\n")


def commands(bin, dir, docs):
    """Returns the commands: name, arguments, input and the document that each writes at OUT."""
    tool = lambda name: str(bin / name)
    C = ["-C", str(dir)]
    panic = docs / "panic.txt"
    return [
        ("infer trace", [tool("infer"), "trace", *C, "-o", "OUT.jsonl.gz"], None),
        ("infer invariants", [tool("infer"), "invariants", "-o", "OUT.json", str(docs / "trace.jsonl.gz")], None),
        ("infer invariants, input waits", [tool("infer"), "invariants", "-o", "OUT.json"], "wait"),
        ("infer models", [tool("infer"), "models", *C, "-o", "OUT.json"], None),
        ("check", [tool("check"), *C, "-o", "OUT.json"], None),
        ("check assume", [tool("check"), *C, "--assume", str(docs / "invariants.json"), "-o", "OUT.json"], None),
        ("crash confirm", [tool("crash"), "confirm", *C, "--tests", "TESTS", "-o", "OUT.json",
                           str(docs / "warnings.json")], None),
        ("crash random", [tool("crash"), "random", *C, "--time", "4s", "--tests", "TESTS", "-o", "OUT.json"], None),
        ("crash reproduce", [tool("crash"), "reproduce", *C, "--timeout", "20s", "-o", "OUT.json", str(panic)], None),
        ("crash record", [tool("crash"), "record", *C, "-o", "OUT.json", "--", "go", "run", "./cmd"], None),
        ("crash replay", [tool("crash"), "replay", *C, "-o", "OUT.json", str(docs / "recording.json")], None),
        ("crash report, input waits", [tool("crash"), "report", "-o", "OUT.txt"], "wait"),
        ("crash explain", [tool("crash"), "explain", *C, "-o", "OUT.txt", "C1", str(docs / "crashes.json")], None),
        ("pipeline.sh", [str(ROOT / "pipeline.sh"), *C, "-o", "OUT"], None),
    ]


def digest(root):
    """Returns a digest of each file below a folder."""
    return {str(p.relative_to(root)): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in sorted(root.rglob("*")) if p.is_file()}


def running(mark):
    """Returns the processes whose environment has the mark."""
    found = []
    for p in pathlib.Path("/proc").iterdir():
        if p.name.isdigit():
            try:
                if mark.encode() in (p / "environ").read_bytes():
                    found.append((p / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120])
            except OSError:
                pass
    return found


class Trial:
    """One run of a command, interrupted after some seconds, or to its end."""

    def __init__(self, base, dir, name, args, input):
        self.dir, self.name, self.input, self.wrong = dir, name, input, []
        self.at = pathlib.Path(tempfile.mkdtemp(prefix="trial-", dir=base))
        self.tmp = self.at / "tmp"
        self.tmp.mkdir()
        self.args = [a.replace("OUT", str(self.at / "out")).replace("TESTS", str(self.at / "tests")) for a in args]
        self.out = next((pathlib.Path(a) for a in self.args if a.startswith(str(self.at / "out."))), None)
        if self.out:
            self.out.write_bytes(OLD)
        self.mark = "DSD_TRIAL=" + self.at.name

    def run(self, after=None, number=signal.SIGTERM):
        """Returns the status and the seconds until the end, from the signal on if there is one."""
        env = dict(os.environ, TMPDIR=str(self.tmp), DSD_TRIAL=self.at.name)
        with open(self.at / "log", "w") as log:
            child = subprocess.Popen(self.args, env=env, stdout=log, stderr=log, start_new_session=True,
                                     stdin=subprocess.PIPE if self.input else subprocess.DEVNULL)
            begin = time.monotonic()
            if after is not None:
                try:
                    child.wait(after)
                except subprocess.TimeoutExpired:
                    begin = time.monotonic()
                    child.send_signal(number)
            try:
                status = child.wait(60)
            except subprocess.TimeoutExpired:
                self.wrong.append("not done after 60 s")
                os.killpg(child.pid, signal.SIGKILL)
                status = child.wait()
            seconds = time.monotonic() - begin
            if child.stdin:
                child.stdin.close()
        return status, seconds

    def interrupt(self, after, number, plain):
        """Interrupts the run after some seconds. plain is the status without a signal."""
        before = digest(self.dir)
        status, seconds = self.run(after, number)
        say = lambda text: self.wrong.append("%s after %.2f s: %s; %s" % (
            number.name, after, text, (self.at / "log").read_text(errors="replace").strip()[-200:]))
        if seconds > PATIENCE and status not in plain:
            say("it took %.1f s to end" % seconds)
        stopped = [130] if "pipeline" in self.name else [3]
        if after < BEGIN:  # the signal may come before the program handles it
            plain = plain + [-number]
        if status not in stopped + plain:
            say("status %s" % status)
        self.document(status, stopped, say)
        time.sleep(0.05)
        for p in running(self.mark):
            say("%s runs on" % p)
        if digest(self.dir) != before:
            say("the module's folder is not as before")
        for f in self.tmp.iterdir():
            say("%s is left in TMPDIR" % f.name)
        for f in self.at.iterdir():
            if f.name not in ("tmp", "log", "out", "tests", self.out.name if self.out else "out"):
                say("%s is left beside the document" % f.name)
        shutil.rmtree(self.at, ignore_errors=True)
        return self

    def document(self, status, stopped, say):
        """Checks the documents."""
        files = [self.out] if self.out else [f for f in (self.at / "out").glob("*.json*")]
        for f in files:
            text = f.read_bytes()
            if text == OLD:
                continue
            try:
                if f.suffix == ".gz":
                    text = gzip.decompress(text)
                if f.suffix in (".json", ".gz", ".jsonl"):
                    doc = json.loads(text.split(b"\n")[0] if ".jsonl" in f.name else text)
                    if status in stopped and self.out and not doc.get("incomplete"):
                        say("a new document is not marked incomplete")
            except (OSError, EOFError, ValueError) as err:
                say("%s is cut: %s" % (f.name, err))


def prepare(bin, dir, docs):
    """Writes the documents that commands read."""
    docs.mkdir()
    run = lambda *args: subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=300)
    run(bin / "infer", "trace", "-C", dir, "-o", docs / "trace.jsonl.gz")
    run(bin / "infer", "invariants", "-o", docs / "invariants.json", docs / "trace.jsonl.gz")
    run(bin / "check", "-C", dir, "-o", docs / "warnings.json")
    run(bin / "crash", "confirm", "-C", dir, "-o", docs / "crashes.json", docs / "warnings.json")
    run(bin / "crash", "record", "-C", dir, "-o", docs / "recording.json", "--", "go", "run", "./cmd")
    out = subprocess.run(["go", "run", "./cmd"], cwd=dir, capture_output=True, text=True)
    (docs / "panic.txt").write_text(out.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=200, help="moments over all commands (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", default=str(ROOT / "bin"), help="directory of the commands")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_args()
    draw, bin = random.Random(args.seed), pathlib.Path(args.bin).resolve()
    base = pathlib.Path(tempfile.mkdtemp(prefix="dsd-interrupts-"))
    wrong = []
    try:
        dir, docs = base / "box", base / "docs"
        module(dir)
        prepare(bin, dir, docs)
        chosen = [c for c in commands(bin, dir, docs) if not args.pattern or any(p in c[0] for p in args.pattern)]
        each = -(-args.n // len(chosen))
        for name, line, input in chosen:
            plain, whole = [], 3.0
            if not input:
                status, whole = Trial(base, dir, name, line, input).run()
                plain = [status]
                if status not in (0, 1):
                    wrong.append("%s ends with status %s without a signal" % (name, status))
                    print(wrong[-1])
                    continue
            moments = [(draw.uniform(0, whole), draw.choice([signal.SIGINT, signal.SIGTERM])) for _ in range(each)]
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                done = list(pool.map(lambda m: Trial(base, dir, name, line, input).interrupt(*m, plain), moments))
            bad = [t for t in done if t.wrong]
            print("%-32s %5.1f s, %3d interrupts, %d not as expected" % (name, whole, len(done), len(bad)), flush=True)
            for t in bad:
                wrong += t.wrong
                print("    " + "\n    ".join(w.replace("\n", "\n        ") for w in t.wrong), flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
