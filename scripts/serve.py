#!/usr/bin/env python3
"""Measures what crash record costs a server under load, before a crash.

usage: serve.py [--requests N] [--rounds R] [--at PATH] [--mode MODE] [MODULE@VERSION] [PACKAGE]      (build first: make; needs hey)

Builds the server in PACKAGE of MODULE (default: github.com/mccutchen/go-httpbin/v2@v2.26.0 ./cmd/go-httpbin), plain and by crash
record. MODE is running (--second-chance FILE --without-rebuild, the default), second-chance, or a value of --copy. In R rounds
(default 9) each answers N requests (default 40,000) of PATH, 8 at a time, the two in turns, on one processor. Prints the medians
over the rounds of the server's processor time a request and of the requests a second, the ratios, and the spread of the plain
server's rounds. Exit status 1 if a request failed.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODES = {"running": ["--second-chance", "chance.txt", "--without-rebuild"], "second-chance": ["--second-chance", "chance.txt"]}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def load(binary, cwd, path, requests):
    """Starts a server, sends it requests; returns its processor time a request in microseconds, and requests a second."""
    port = free_port()
    env = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1", "GOMAXPROCS": "1"}
    server = subprocess.Popen([binary], cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}{path}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(url, timeout=5).read()
                break
            except OSError:
                time.sleep(0.05)
        before = cpu(server.pid)
        out = subprocess.run(["hey", "-n", str(requests), "-c", "8", url], capture_output=True, text=True).stdout
        used = cpu(server.pid) - before
    finally:
        server.kill()
        server.wait()
    answered = re.findall(r"\[(\d+)\]\s+(\d+) responses", out)
    if answered != [("200", str(requests))]:
        print(f"{binary}: {answered} of {requests} requests:\n{out[-500:]}", file=sys.stderr)
        sys.exit(1)
    return used * 1e6 / requests, float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])


def cpu(pid):
    """The processor time that a process has used, in seconds."""
    total = 0
    for t in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{t}/schedstat") as f:
            total += int(f.read().split()[0])
    return total / 1e9


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--requests", type=int, default=40000)
    ap.add_argument("--rounds", type=int, default=9)
    ap.add_argument("--at", default="/anything?a=1&b=two")
    ap.add_argument("--mode", default="running")
    ap.add_argument("module", nargs="?", default="github.com/mccutchen/go-httpbin/v2@v2.26.0")
    ap.add_argument("package", nargs="?", default="./cmd/go-httpbin")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="dsd-serve-") as top:
        got = subprocess.run(["go", "mod", "download", "-json", a.module], capture_output=True, text=True).stdout
        src = pathlib.Path(top) / "m"
        shutil.copytree(json.loads(got)["Dir"], src)
        subprocess.run(["chmod", "-R", "u+w", str(src)], check=True)
        binaries = {}
        for name, record in (("plain", None), (a.mode, MODES.get(a.mode, ["--copy", a.mode]))):
            into = pathlib.Path(top) / name
            into.mkdir()
            build = ["go", "build", "-o", str(into / "server"), a.package]
            if record:
                build = [str(ROOT / "bin/crash"), "record", "-C", str(src), *record, "--", *build]
            subprocess.run(build, cwd=src, check=True)
            binaries[name] = into / "server"
        got = {name: [] for name in binaries}
        for r in range(a.rounds + 1):
            for name in sorted(binaries, reverse=bool(r % 2)):
                one = load(binaries[name], top, a.at, a.requests)
                if r > 0:  # the first one warms up
                    got[name].append(one)
        for i, what in enumerate(["us of processor time a request", "requests a second"]):
            plain, recorded = (statistics.median(x[i] for x in got[n]) for n in binaries)
            low, high = min(x[i] for x in got["plain"]), max(x[i] for x in got["plain"])
            pairs = statistics.median(y[i] / x[i] for x, y in zip(got["plain"], got[a.mode]))
            print(f"{what}: plain {plain:.1f} ({low:.1f} to {high:.1f}), {a.mode} {recorded:.1f}, "
                  f"ratio {recorded / plain:.3f}, of neighbouring rounds {pairs:.3f}")


if __name__ == "__main__":
    main()
