#!/usr/bin/env python3
"""Runs the tests of crashes documents by plain go test, and prints those that do not panic where
the document says.

usage: verify.py MODULE_DIR CRASHES.json...

The tests are written into a copy of the module and compiled with the tests of their package. Each
runs alone, with the flags that go test passes, because some code reads os.Args. The last line of
output is "verified N of M"; the lines before it name the tests that behave differently. The exit
status is 1 if there is one.
"""
import json, os, re, shutil, subprocess, sys, tempfile


def position(pos):
    return ":".join(pos.split(":")[:2])


def compile_tests(root, rel):
    binary = os.path.join(root, rel, "verify.test")
    r = subprocess.run(["go", "test", "-c", "-vet=off", "-o", binary, "."],
                       cwd=os.path.join(root, rel), capture_output=True, text=True)
    return binary, r


def main():
    module, documents = sys.argv[1], sys.argv[2:]
    good, total, bad = 0, 0, []
    for name in documents:
        with open(name) as f:
            doc = json.load(f)
        root = tempfile.mkdtemp()
        shutil.copytree(module, root, dirs_exist_ok=True, symlinks=True)
        subprocess.run(["chmod", "-R", "u+w", root])
        packages = {}
        for c in doc["crashes"]:
            packages.setdefault(c["test"]["package"], []).append(c)
        for path, crashes in packages.items():
            rel = path[len(doc["module"]["path"]):].strip("/")
            for c in crashes:
                with open(os.path.join(root, rel, c["test"]["file"]), "w") as f:
                    f.write(c["test"]["source"])
            binary, r = compile_tests(root, rel)
            if r.returncode:  # the package's own tests may need modules that are missing
                for f in os.listdir(os.path.join(root, rel)):
                    if f.endswith("_test.go") and f not in {c["test"]["file"] for c in crashes}:
                        os.remove(os.path.join(root, rel, f))
                binary, r = compile_tests(root, rel)
            for c in crashes:
                total += 1
                if r.returncode:
                    bad.append((name, c["id"], "does not compile: " + r.stdout[:200]))
                    continue
                try:
                    flags = ["-test.paniconexit0", "-test.timeout=10m0s",
                             "-test.run=^%s$" % re.escape(c["test"]["name"])]
                    out = subprocess.run([binary] + flags, cwd=os.path.join(root, rel),
                                         capture_output=True, text=True, errors="replace",
                                         timeout=60)
                    text = out.stdout + out.stderr
                except subprocess.TimeoutExpired:
                    bad.append((name, c["id"], "runs for more than a minute"))
                    continue
                panicked = re.search(
                    r"^(panic|fatal error|runtime: goroutine stack exceeds)", text, re.M
                )
                at = os.path.join(root, position(c["pos"]))
                if panicked and at in text:
                    good += 1
                else:
                    bad.append((name, c["id"], "%s at %s: %s" % (c["kind"], c["pos"], text[:200])))
        shutil.rmtree(root, ignore_errors=True)
    for b in bad:
        print("differs:", *b)
    print("verified %d of %d" % (good, total))
    sys.exit(1 if bad else 0)


main()
