#!/usr/bin/env python3
"""Measures how many of the panics of Go's own test programs check warns of.

usage: gopanics.py [-o DIR] [--bin DIR] [--jobs N] [--every N] [PATTERN...]  (build first: make)

The programs are those of gotests.py. Each is built with a runtime that logs where each panic is
raised, also one that is recovered, and runs. check has to warn of each such line of the program.
Lines without a warning are listed. The last line sums up.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from gotests import check, select

os.environ["DSDCACHE"] = "off"  # nothing from earlier runs

# What is inserted at the start of runtime.gopanic: the first frame that is not of the runtime.
LOG = """
	if gp := getg(); gp.m.curg == gp {
		var pcs [24]uintptr
		for _, pc := range pcs[:callers(0, pcs[:])] {
			f := findfunc(pc)
			if !f.valid() {
				continue
			}
			name := funcname(f)
			if len(name) > 8 && name[:8] == "runtime." {
				continue
			}
			file, line := funcline(f, pc-1)
			print("DSD-PANIC ", file, ":", line, "\\n")
			break
		}
	}
"""


def overlay(directory, goroot):
    """Writes the runtime that logs panics; returns the name of the overlay file."""
    name = goroot + "/src/runtime/panic.go"
    with open(name) as f:
        text = f.read()
    text, n = re.subn(r"(\nfunc gopanic\(e any\) \{\n)", lambda m: m.group(1) + LOG, text)
    if n != 1:
        sys.exit("gopanics: this version of Go has another runtime.gopanic")
    with open(directory + "/panic.go", "w") as f:
        f.write(text)
    with open(directory + "/overlay.json", "w") as f:
        json.dump({"Replace": {name: directory + "/panic.go"}}, f)
    return directory + "/overlay.json"


def panics(work, file):
    """Runs the program in a folder; returns the lines at which it panics."""
    try:
        p = subprocess.run(["go", "build", "-overlay", file, "-o", work + "/program", "."], cwd=work,
                           capture_output=True, text=True, timeout=300)
        if p.returncode:
            return None
        p = subprocess.run([work + "/program"], cwd=work, capture_output=True, text=True,
                           errors="replace", timeout=20)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if os.path.exists(work + "/program"):
            os.remove(work + "/program")
    return sorted({int(n) for n in re.findall(r"DSD-PANIC .*/main\.go:(\d+)$", p.stderr, re.M)})


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    scratch = tempfile.TemporaryDirectory(prefix="gopanics-")
    a, root, names = select(parser, scratch.name)
    file = overlay(scratch.name, os.path.dirname(root))

    def one(name):
        _, doc, error, _ = check(a, root, name, "--recovered")
        work = os.path.join(a.o, name.removesuffix(".go").replace("/", "_"))
        return name, doc, error, panics(work, file)

    places, warned, not_run = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for name, doc, error, lines in pool.map(one, names):
            if lines is None or error:
                not_run += 1
                continue
            known = {int(w["pos"].split(":")[1]) for w in doc.get("warnings", [])
                     if w["pos"].startswith("main.go:")}
            with open(os.path.join(root, name), errors="replace") as f:
                source = f.read().split("\n")
            for n in lines:
                if n > len(source):  # of a //line directive
                    continue
                places += 1
                if n in known:
                    warned += 1
                else:
                    text = source[n - 1].strip()
                    print(f"missed    {name}:{n}: {text[:80]}")
    print(f"{len(names)} programs, {not_run} not run: they panic at {places} lines, check warns of "
          f"{warned} ({100 * warned / max(places, 1):.1f}%)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
