#!/usr/bin/env python3
"""Runs a command, and writes its seconds, peak memory (MiB) and exit status to NAME.cost as JSON,
and its output to NAME.log.

usage: measure.py NAME COMMAND...
"""
import json
import os
import subprocess
import sys
import time

name, command = sys.argv[1], sys.argv[2:]
begin = time.monotonic()
with open(name + ".log", "w") as log:
    child = subprocess.Popen(command, stdout=log, stderr=log)
    _, status, usage = os.wait4(child.pid, 0)
code = os.waitstatus_to_exitcode(status)
with open(name + ".cost", "w") as out:
    json.dump(
        {"seconds": time.monotonic() - begin, "mib": usage.ru_maxrss / 1024, "status": code}, out
    )
if code not in (0, 1):
    print(f"{' '.join(command)}: exit status {code}, see {name}.log", file=sys.stderr)
