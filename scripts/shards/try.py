#!/usr/bin/env python3
"""Tries the recipes of this folder on a small module: each must write what one run writes, byte by byte.

usage: try.py [RECIPE...]      (build first: make)

    parallel    GNU parallel with four workers; one is killed, and the script run again does its part alone
    slurm       a cluster of one node, set up and taken down; one part is killed, likewise (as root)
    kubernetes  the manifests fit Kubernetes' own OpenAPI document; a kubectl of ours runs the commands of the
                containers here, each pod once, one of them killed at first
    github      actionlint accepts the workflow; its steps run here, each job in a folder of its own with the
                artifacts that it asks for

Debian's parallel, slurm-wlm, shellcheck, jq and python3-yaml are installed, as root; kubeconform, actionlint and
the OpenAPI document come by Go's module proxy. Exit status 1 if a recipe does not do what it should.
"""
import argparse
import filecmp
import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
DOCUMENTS = ["trace.jsonl.gz", "invariants.json", "warnings.json", "crashes.json"]
KUBECTL = "k8s.io/kubectl@v0.36.0"  # which has the OpenAPI document of Kubernetes 1.27
KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0"
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"


class Failed(Exception):
    pass


def run(*cmd, ok=(0,), to=None, **more):
    """Runs a command and returns its output, or writes it to a file; it fails on another status."""
    p = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if p.returncode not in ok:
        raise Failed(f"{' '.join(map(str, cmd))}: status {p.returncode}\n{p.stdout}{p.stderr}")
    if to:
        to.write_text(p.stdout)
    return p.stdout


def install(*packages):
    missing = [p for p in packages if subprocess.run(["dpkg", "-s", p], capture_output=True).returncode != 0]
    if missing:
        run("apt-get", "install", "-y", "--no-install-recommends", *missing)


def same(one, out):
    """Checks that the documents and tests of a run in parts are those of one run."""
    for name in DOCUMENTS:
        if not (out / name).exists() or not filecmp.cmp(one / name, out / name, shallow=False):
            raise Failed(f"{name} is not that of one run")
    a, b = ([(f.name, f.read_text()) for f in sorted(d.glob("tests/**/*")) if f.is_file()] for d in (one, out))
    if a != b or not a:
        raise Failed("the tests are not those of one run")


def parts(out):
    """The parts that are done, with the times at which they were."""
    return {f.name: f.stat().st_mtime_ns for f in (out / "parts").glob("[!n]*")}


def kill_one(pattern, timeout=60):
    """Kills the first process whose command line matches, with what it started."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        pids = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout.split()
        if pids:
            for pid in pids:
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return
        time.sleep(0.01)
    raise Failed(f"no process to kill: {pattern}")


def killed_and_again(one, work, cmd, victim):
    """Runs a recipe, kills what matches, and runs it again: what was done is not done again."""
    out = work / "out"
    p = subprocess.Popen([str(c) for c in cmd], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kill_one(victim)
    if p.wait() == 0 and not (out / "crashes.json").exists():
        raise Failed("ended well although a part was killed")
    before = parts(out)
    run(*cmd)
    again = [name for name, t in before.items() if parts(out).get(name) != t]
    if again:
        raise Failed(f"done again: {again}")
    same(one, out)


def parallel(one, work, module):
    install("parallel")
    killed_and_again(one, work, [here / "parallel.sh", "-n", 4, "-j", 4, "-C", module, "-o", work / "out", "./..."],
                     r"bin/check.*--shard 2/4|^check .*--shard 2/4")


def slurm(one, work, module):
    install("slurm-wlm")
    cmd = [here / "slurm-here.sh", here / "slurm.sh", "-n", 3, "-C", module, "-o", work / "out", "./..."]
    killed_and_again(one, work, cmd, r"slurm_script|part.sh check 2/3")


def kubernetes(one, work, module):
    install("jq", "python3-yaml")
    text = run(here / "kubernetes.sh", "--print", "-n", 3, "./...")
    (work / "jobs.yaml").write_text(text)
    mod = json.loads(run("go", "mod", "download", "-json", KUBECTL, cwd=work))
    run("jq", "-c", '{"$ref": "#/components/schemas/io.k8s.api.batch.v1.Job", components: {schemas: (.components.schemas'
        ' | map_values(if .properties then .additionalProperties = false else . end))}}',
        pathlib.Path(mod["Dir"]) / "pkg/explain/v2/templates/batch.k8s.io_v1.json", to=work / "job.json")
    said = run("go", "run", KUBECONFORM, "-strict", "-summary", "-schema-location",
               work / "{{.ResourceKind}}.json", work / "jobs.yaml", cwd=work)
    if "Valid: 6, Invalid: 0" not in said:
        raise Failed(said)
    # What must not be valid, so that the check is known to check.
    (work / "wrong.yaml").write_text(text.replace("completionMode", "completionsMode"))
    run("go", "run", KUBECONFORM, "-strict", "-schema-location", work / "{{.ResourceKind}}.json", work / "wrong.yaml",
        cwd=work, ok=(1,))
    (work / "bin").mkdir()
    kubectl = work / "bin" / "kubectl"
    kubectl.write_text(KUBECTL_OF_OURS.format(python=sys.executable, dsd=root, module=module, out=work / "out", work=work))
    kubectl.chmod(0o755)
    run(here / "kubernetes.sh", "-n", 3, "./...", env={**os.environ, "PATH": f"{work}/bin:{os.environ['PATH']}"})
    if not (work / "failed-once").exists():
        raise Failed("no pod was killed")
    same(one, work / "out")


# A kubectl that runs the pods of a job here: apply keeps the job, wait for its completion runs it.
KUBECTL_OF_OURS = '''#!{python}
import json, os, pathlib, subprocess, sys, time, yaml
work = pathlib.Path("{work}")
if sys.argv[1] == "apply":
    for job in yaml.safe_load_all(sys.stdin):
        (work / (job["metadata"]["name"] + ".json")).write_text(json.dumps(job))
elif sys.argv[1] == "wait" and "--for=condition=failed" in sys.argv:
    time.sleep(600)
elif sys.argv[1] == "wait":
    job = json.loads((work / (sys.argv[-1].split("/")[1] + ".json")).read_text())
    spec = job["spec"]
    container = spec["template"]["spec"]["containers"][0]
    env = {{e["name"]: e["value"] for e in container["env"]}}
    places = {{"/module": "{module}", "/out": "{out}"}}
    env = {{k: places.get(v, v) for k, v in env.items()}}
    command = [c.replace("/opt/dsd", "{dsd}") for c in container["command"]]
    for index in range(spec.get("completions", 1)):
        for attempt in range(1 + spec["backoffLimit"]):
            p = subprocess.Popen(command, env={{**os.environ, **env, "JOB_COMPLETION_INDEX": str(index)}})
            if index == 1 and not (work / "failed-once").exists():
                (work / "failed-once").write_text("")
                time.sleep(0.2)
                p.kill()
            if p.wait() == 0:
                break
        else:
            sys.exit(1)
'''


def github(one, work, module):
    install("shellcheck", "python3-yaml")
    import yaml
    run("go", "run", ACTIONLINT, "-shellcheck", "shellcheck", here / "github.yaml", cwd=work)
    flow = yaml.safe_load((here / "github.yaml").read_text())
    artifacts, done = {}, set()

    def fill(text, part, place):
        text = text.replace("${{ matrix.part }}", str(part)).replace("${{ github.workspace }}", str(place))
        return text

    def job(name):
        spec = flow["jobs"][name]
        for before in [spec["needs"]] if isinstance(spec.get("needs"), str) else spec.get("needs", []):
            if before not in done:
                job(before)
        for part in spec.get("strategy", {}).get("matrix", {}).get("part", [0]):
            place = work / f"{name}-{part}"
            place.mkdir()
            (place / "dsd").symlink_to(root)
            shutil.copytree(module, place / "module")
            env = {**os.environ, **{k: fill(str(v), part, place) for k, v in flow["env"].items()},
                   "GITHUB_STEP_SUMMARY": str(place / "summary")}
            for step in spec["steps"]:
                if "run" in step and "deps.sh" not in step["run"]:
                    run("bash", "-e", "-c", fill(step["run"], part, place), cwd=place, env=env)
                elif "download-artifact" in step.get("uses", ""):
                    for a in fnmatch.filter(list(artifacts), step["with"]["pattern"]):
                        shutil.copytree(artifacts[a], place / "out", dirs_exist_ok=True)
                elif "upload-artifact" in step.get("uses", ""):
                    artifacts[fill(step["with"]["name"], part, place)] = place / "out"
        done.add(name)

    for name in flow["jobs"]:
        if name not in done:
            job(name)
    same(one, work / "confirm-merge-0" / "out")
    if "crash" not in (work / "confirm-merge-0" / "summary").read_text():
        raise Failed("the summary has no report")


def main():
    recipes = {f.__name__: f for f in (parallel, slurm, kubernetes, github)}
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("recipe", nargs="*", choices=[[], *recipes], default=[])
    a = ap.parse_args()
    os.environ["DSDCACHE"] = "off"
    bad = 0
    with tempfile.TemporaryDirectory(prefix="dsd-shards-") as scratch:
        scratch = pathlib.Path(scratch)
        module, one = root / "examples/parcel", scratch / "one"
        one.mkdir()
        run(root / "bin/infer", "trace", "-C", module, "-o", one / "trace.jsonl.gz", "./...")
        run(root / "bin/infer", "invariants", "-o", one / "invariants.json", one / "trace.jsonl.gz")
        assume = ["-C", module, "--assume", one / "invariants.json"]
        run(root / "bin/check", *assume, "-o", one / "warnings.json", "./...", ok=(0, 1))
        run(root / "bin/crash", "confirm", *assume, "--trace", one / "trace.jsonl.gz", "--tests", one / "tests",
            "-o", one / "crashes.json", one / "warnings.json", ok=(0, 1))
        for name in a.recipe or recipes:
            work = scratch / name
            work.mkdir()
            try:
                recipes[name](one, work, module)
                print(f"{name}: as one run")
            except Failed as err:
                bad += 1
                print(f"{name}: {err}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
