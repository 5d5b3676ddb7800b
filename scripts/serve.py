#!/usr/bin/env python3
"""Measures what crash record costs a server under load, before a crash.

usage: serve.py [--requests N] [--turns T] [--rounds R] [--at PATH] [--mode MODE] [MODULE@VERSION] [PACKAGE]
       (build first: make; needs hey)

Builds the server in PACKAGE of MODULE (default: github.com/mccutchen/go-httpbin/v2@v2.26.0 ./cmd/go-httpbin), plain and by crash
record. MODE is running (--second-chance FILE --without-rebuild, the default), second-chance, or a value of --copy. In each of R
rounds (default 5), the two servers and the plain one once more are started, each with one processor, and take turns: in each of T
turns (default 60) each answers N requests (default 2,000) of PATH, 8 at a time. A round's ratio is the median over its turns of a
server's processor time a request to the plain one's in the same turn. Prints the median, least and greatest ratio of all rounds, of
the plain server to itself, too: what is no further from 1 than that one cannot be told from no cost. Exit status 1 if a request failed.
"""
import argparse
import json
import os
import pathlib
import random
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


class Server:
    """A running server."""

    def __init__(self, binary, cwd, path):
        port = free_port()
        env = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1", "GOMAXPROCS": "1"}
        self.binary, self.url = binary, f"http://127.0.0.1:{port}{path}"
        self.process = subprocess.Popen([binary], cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                urllib.request.urlopen(self.url, timeout=5).read()
                break
            except OSError:
                time.sleep(0.05)

    def load(self, requests):
        """Sends requests; returns the server's processor time a request in microseconds."""
        before = cpu(self.process.pid)
        out = subprocess.run(["hey", "-n", str(requests), "-c", "8", self.url], capture_output=True, text=True).stdout
        used = cpu(self.process.pid) - before
        answered = re.findall(r"\[(\d+)\]\s+(\d+) responses", out)
        if answered != [("200", str(requests))]:
            print(f"{self.binary}: {answered} of {requests} requests:\n{out[-500:]}", file=sys.stderr)
            sys.exit(1)
        return used * 1e6 / requests

    def end(self):
        self.process.kill()
        self.process.wait()


def rounds(binaries, cwd, a):
    """Returns the ratios of each server to the plain one, a round each, and the plain one's times."""
    ratios, times, draw = {n: [] for n in binaries if n != "plain"}, [], random.Random(1)
    for _ in range(a.rounds):
        servers = {}
        try:
            for name, binary in binaries.items():
                servers[name] = Server(binary, cwd, a.at)
            got = {name: [] for name in binaries}
            for turn in range(a.turns + 1):
                # In an order of its own: whoever runs twice in a row finds the caches warm.
                for name in draw.sample(sorted(servers), len(servers)):
                    used = servers[name].load(a.requests)
                    if turn > 0:  # the first one warms up
                        got[name].append(used)
        finally:
            for s in servers.values():
                s.end()
        times += got["plain"]
        for name in ratios:
            ratios[name].append(statistics.median(x / y for x, y in zip(got[name], got["plain"])))
    return ratios, times


def cpu(pid):
    """The processor time that a process has used, in seconds."""
    total = 0
    for t in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{t}/schedstat") as f:
            total += int(f.read().split()[0])
    return total / 1e9


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--requests", type=int, default=2000)
    ap.add_argument("--turns", type=int, default=60)
    ap.add_argument("--rounds", type=int, default=5)
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
        binaries["plain again"] = binaries["plain"]
        ratios, times = rounds(binaries, top, a)
        print(f"plain: {statistics.median(times):.1f} us of processor time a request ({min(times):.1f} to {max(times):.1f})")
        for name, list in ratios.items():
            print(f"{name}: {statistics.median(list):.3f} times that ({min(list):.3f} to {max(list):.3f})")


if __name__ == "__main__":
    main()
