#!/usr/bin/env python3
"""Compares crash random with go test -fuzz: the time to the first crash of ten functions of public
modules.

usage: fuzz.py [-n RUNS] [-t SECONDS]      (build first: make)

Each function is fuzzed from one sample that its documentation might give, by both engines in turns,
RUNS times (default 5). The time is measured by the engine itself, from the first input to the first
panic, without the build: `found_after` of crash random, and the duration that go test prints for
the fuzz target, without minimization. A run that finds nothing counts as SECONDS (default 20).
"""
import argparse, json, os, re, shutil, statistics, subprocess, tempfile

# module, version, directory, package name, function as documents name it, parameters of the fuzz
# target, the call, a sample
FUNCTIONS = [
    ("github.com/robfig/cron/v3", "v3.0.1", ".", "cron", r"\.ParseStandard$",
     "s string", "ParseStandard(s)", '"* * * * *"'),
    ("github.com/aquilax/truncate", "v1.0.0", ".", "truncate", r"\.Truncate$",
     "s string, n int, o string, p int", "Truncate(s, n, o, TruncatePosition(p))",
     '"This is a text", 10, "...", 0'),
    ("github.com/mattn/go-runewidth", "v0.0.28", ".", "runewidth", r"\.Wrap$",
     "s string, w int", "Wrap(s, w)", '"hello world", 5'),
    ("github.com/rs/xid", "v1.3.0", ".", "xid", r"UnmarshalJSON$",
     "b []byte", "new(ID).UnmarshalJSON(b)", '[]byte(`"9m4e2mr0ui3e8a215n4g"`)'),
    ("github.com/gobuffalo/flect", "v1.0.2", ".", "flect", r"\.Humanize$",
     "s string", "Humanize(s)", '"hello_world"'),
    ("github.com/agext/levenshtein", "v1.2.2", ".", "levenshtein", r"\.Match$",
     "a, b string, m float64", "Match(a, b, NewParams().MinScore(m))", '"kitten", "sitting", 0.5'),
    ("github.com/go-xmlfmt/xmlfmt", "v0.0.0-20191208150333-d5b6f63a941b", ".", "xmlfmt",
     r"\.FormatXML$", "x, p, i string", "FormatXML(x, p, i)", '"<a><b>c</b></a>", "", " "'),
    ("github.com/fxamacker/cbor/v2", "v2.7.0", ".", "cbor", r"RawTag..UnmarshalCBOR$",
     "b []byte", "new(RawTag).UnmarshalCBOR(b)", '[]byte{0xc1, 1}'),
    ("github.com/beevik/etree", "v1.1.0", ".", "etree", r"\.CompilePath$",
     "s string", "CompilePath(s)", '"./a/b[@c=\'d\']"'),
    ("github.com/cockroachdb/apd/v3", "v3.2.1", ".", "apd", r"\.NewFromString$",
     "s string", "NewFromString(s)", '"1.5"'),
]


FUZZ_TARGET = """package %s

import "testing"

func FuzzIt(f *testing.F) {
	f.Add(%s)
	f.Fuzz(func(t *testing.T, %s) { %s })
}
"""


def sh(args, cwd, env=None, timeout=None):
    return subprocess.run(
        args, cwd=cwd, capture_output=True, text=True, errors="replace", env=env, timeout=timeout
    )


def fetch(work, module, version):
    get = os.path.join(work, "get")
    if not os.path.isdir(get):
        os.makedirs(get)
        sh(["go", "mod", "init", "get"], get)
    info = json.loads(sh(["go", "mod", "download", "-json", module + "@" + version], get).stdout)
    dir = os.path.join(work, module.replace("/", "_"))
    shutil.copytree(info["Dir"], dir)
    sh(["chmod", "-R", "u+w", dir], work)
    if not os.path.exists(os.path.join(dir, "go.mod")):
        sh(["go", "mod", "init", module], dir)
    if sh(["go", "build", "./..."], dir).returncode:
        sh(["go", "mod", "tidy", "-e"], dir)
    return dir


def crash_random(crash, dir, fn, seed, seconds):
    # crash random does not stop at the first crash, so try a short run first
    for t in (3, seconds):
        r = sh([crash, "random", "-C", dir, "--time", "%ds" % t, "--func", fn, "--seed", str(seed),
                "--policy", "all", "."], dir)
        if not r.stdout:
            raise SystemExit("crash random: " + r.stderr)
        found = [c["found_after"] for c in json.loads(r.stdout)["crashes"]]
        if found:
            return min(found)
    return float(seconds)


def go_fuzz(dir, package, params, call, sample, seconds, cache):
    shutil.rmtree(os.path.join(dir, "testdata", "fuzz", "FuzzIt"), ignore_errors=True)
    shutil.rmtree(cache, ignore_errors=True)
    with open(os.path.join(dir, "zz_fuzz_test.go"), "w") as f:
        f.write(FUZZ_TARGET % (package, sample, params, call))
    binary = os.path.join(dir, "fuzz.test")
    r = sh(["go", "test", "-c", "-vet=off", "-fuzz=FuzzIt", "-o", binary, "."], dir)
    if r.returncode:
        raise SystemExit(r.stdout + r.stderr)
    flags = ["-test.run=^$", "-test.fuzz=^FuzzIt$", "-test.fuzzcachedir=" + cache,
             "-test.fuzztime=%ds" % seconds, "-test.fuzzminimizetime=0x",
             "-test.parallel=%d" % os.cpu_count()]
    r = sh([binary] + flags, dir)
    os.remove(os.path.join(dir, "zz_fuzz_test.go"))
    m = re.search(r"--- FAIL: FuzzIt \(([\d.]+)s\)", r.stdout)
    return float(m[1]) if m else float(seconds)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=5)
    p.add_argument("-t", type=int, default=20)
    a = p.parse_args()
    crash = os.path.abspath("bin/crash")
    work = tempfile.mkdtemp()
    ahead = 0
    print("%-36s %-28s %12s %12s" % ("module", "function", "crash random", "go test -fuzz"))
    for module, version, rel, package, fn, params, call, sample in FUNCTIONS:
        dir = os.path.join(fetch(work, module, version), rel)
        random, fuzz = [], []
        for i in range(a.n):
            random.append(crash_random(crash, dir, fn, i + 1, a.t))
            cache = os.path.join(work, "cache")
            fuzz.append(go_fuzz(dir, package, params, call, sample, a.t, cache))
        x, y = statistics.median(random), statistics.median(fuzz)
        ahead += x < y
        print("%-36s %-28s %10.3f s %10.2f s" % (module, call.split("(")[0], x, y), flush=True)
    print("ahead on %d of %d (medians of %d; a run without a crash counts as %d s)"
          % (ahead, len(FUNCTIONS), a.n, a.t))
    shutil.rmtree(work, ignore_errors=True)


main()
