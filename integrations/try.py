#!/usr/bin/env python3
"""Tries the pieces of this folder as their users would, in scratch folders.

usage: try.py [PIECE...]      (build first: make)

    install     make install: commands, manual pages without a warning of groff, completions in bash, zsh and fish
    editors     the problem matcher of VS Code and the errorformat of vim find the place of a warning
    make        dsd.mk: make crashes, and again without work
    precommit   the pre-commit hook refuses a commit with a panic, and accepts one without
    action      the steps of the GitHub action, and the job of the GitLab template, run as shells run them
    nocgo       a build without cgo says that it needs --solver, and works with one
    golangci    the plugin of golangci-lint reports a warning as an analyzer
    vettool     go vet -vettool runs check
    image       the Dockerfile, from a base that debootstrap makes; without a Docker daemon, its steps in a chroot

Debian's packages are installed, as root. Exit status 1 if a piece does not do what it should.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent
PANICS = "package m\n\nfunc First(list []int) int { return list[0] }\n"
SAFE = "package m\n\nfunc First(list []int) int {\n\tif len(list) == 0 {\n\t\treturn 0\n\t}\n\treturn list[0]\n}\n"


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def run(*cmd, ok=(0,), **more):
    p = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if p.returncode not in ok:
        raise Failed(f"{' '.join(map(str, cmd))}: status {p.returncode}\n{p.stdout[-2000:]}")
    return p.stdout


def need(*packages):
    missing = [p for p in packages if subprocess.run(["dpkg", "-s", p], capture_output=True).returncode != 0]
    if missing:
        run("apt-get", "install", "-y", "--no-install-recommends", *missing)


def want(what, got, wanted):
    if got != wanted:
        raise Failed(f"{what}: {got!r}, want {wanted!r}")


def module(work, text=PANICS):
    m = work / "m"
    m.mkdir()
    (m / "go.mod").write_text("module example.com/m\n\ngo 1.24\n")
    (m / "m.go").write_text(text)
    (m / "m_test.go").write_text("package m\n\nimport \"testing\"\n\nfunc TestFirst(t *testing.T) { First([]int{1}) }\n")
    return m


def path(extra=root / "bin"):
    return {**os.environ, "PATH": f"{extra}:{os.environ['PATH']}"}


def install(work):
    need("groff", "zsh", "fish")
    run("make", "-C", root, "install", f"DESTDIR={work}", "PREFIX=/usr")
    usr = work / "usr"
    for tool in ("infer", "check", "crash"):
        want(f"{tool}.1", run("groff", "-ww", "-man", "-z", usr / f"share/man/man1/{tool}.1"), "")
        run(usr / "bin" / tool, "--version")
    env = path(usr / "bin")
    bash = work / "c.bash"
    bash.write_text(f"source {usr}/share/bash-completion/completions/crash\n"
                    'COMP_WORDS=(crash random --ti); COMP_CWORD=2; _dsd; echo "${COMPREPLY[*]}"\n')
    want("bash", run("bash", bash, env=env).split(), ["--time"])
    want("fish", run("fish", "-c", f"source {usr}/share/fish/vendor_completions.d/check.fish; complete -C'check --max'", env=env).split(),
         ["--max-memory"])
    zsh = work / "c.zsh"
    zsh.write_text(f"""zmodload zsh/zpty
zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'fpath=({usr}/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -d {work}/dump; PS1="> "'
sleep 4
zpty -n -w z $'check --bud\\t'
sleep 4
out=''
while zpty -r -t z chunk; do out+=$chunk; done
print -r -- "$out"
zpty -d z
""")
    if "--bud\aget" not in run("zsh", "-f", zsh, env=env) and "--budget" not in run("zsh", "-f", zsh, env=env):
        raise Failed("zsh completes nothing")


def editors(work):
    need("vim")
    m = module(work)
    said = run(root / "bin/check", "--format", "text", "./...", cwd=m, ok=(1,))
    matcher = json.load(open(here / "vscode-tasks.json"))["tasks"][0]["problemMatcher"]["pattern"]
    found = re.match(matcher["regexp"], said.splitlines()[0])
    want("VS Code", found and (found[matcher["file"]], found[matcher["line"]], found[matcher["column"]], found[matcher["code"]]),
         ("m.go", "3", "37", "index"))
    (work / "said").write_text(said)
    run("vim", "-u", "NONE", "-es", "-c", f"source {here}/dsd.vim", "-c", f"cgetfile {work}/said", "-c",
        "call writefile([join(map(getqflist(), {_, q -> q.valid ? bufname(q.bufnr) . ':' . q.lnum . ':' . q.col : ''}), ' ')], "
        f"'{work}/places')", "-c", "qa!", cwd=m, ok=(0, 1))
    want("vim", (work / "places").read_text().split(), ["m.go:3:37"])


def make(work):
    m = module(work)
    (m / "Makefile").write_text(f"DSD_FAIL_ON = any\ninclude {here}/dsd.mk\n")
    said = run("make", "crashes", cwd=m, env=path(), ok=(2,))
    if "index in example.com/m.First" not in run("make", "crashes", "DSD_FAIL_ON=likely-bug", cwd=m, env=path()) + said and \
            "to look at" not in said:
        raise Failed(said)
    again = run("make", "crashes", "DSD_FAIL_ON=likely-bug", cwd=m, env=path())
    if "infer trace" in again or "crash confirm" in again:
        raise Failed("make works again although nothing changed:\n" + again)
    run("make", "crashes.sarif", "crashes.html", cwd=m, env=path())
    json.load(open(m / "crashes.sarif"))


def precommit(work):
    need("pre-commit")
    tools = work / "tools"
    tools.mkdir()
    shutil.copy(root / ".pre-commit-hooks.yaml", tools)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for d in (tools, module(work, SAFE)):
        run("git", "init", "-q", cwd=d)
        run("git", "add", ".", cwd=d)
        run(*git, "commit", "-q", "-m", "one", cwd=d)
    m = work / "m"
    rev = run("git", "rev-parse", "HEAD", cwd=tools).strip()
    (m / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: {tools}\n  rev: {rev}\n  hooks: [{{id: dsd-check}}]\n")
    env = {**path(), "PRE_COMMIT_HOME": str(work / "cache"), "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name",
           "GIT_CONFIG_VALUE_0": "a", "GIT_CONFIG_KEY_1": "user.email", "GIT_CONFIG_VALUE_1": "a@example.com"}
    run("pre-commit", "install", cwd=m, env=env)
    (m / "m.go").write_text(PANICS)
    run("git", "add", ".", cwd=m)
    said = run("git", "commit", "-m", "two", cwd=m, env=env, ok=(1,))
    if "m.go:3:37: index" not in said:
        raise Failed(said)
    (m / "m.go").write_text(SAFE + "\nfunc Two() int { return First(nil) }\n")
    run("git", "add", ".", cwd=m)
    run("git", "commit", "-m", "three", cwd=m, env=env)


def action(work):
    need("python3-yaml")
    import yaml
    m = module(work)
    steps = yaml.safe_load((root / "action.yml").read_text())["runs"]["steps"]
    script = [s["run"] for s in steps if "run" in s][0].replace('sudo "$ACTION/scripts/deps.sh"', ":")
    env = {**os.environ, "ACTION": str(root), "DIRECTORY": "m", "PACKAGES": "./...", "FAIL_ON": "any", "BASELINE": "",
           "RUNNER_TEMP": str(work), "GITHUB_STEP_SUMMARY": str(work / "summary"), "GITHUB_OUTPUT": str(work / "outputs")}
    said = run("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script, cwd=work, env=env, ok=(1,))
    if "::warning file=m/m.go,line=3" not in said or "sarif=" not in (work / "outputs").read_text():
        raise Failed(said)
    shutil.copytree(m, work / "lab")
    job = yaml.safe_load((here / "gitlab-ci.yml").read_text())["crashes"]
    env = {**os.environ, **{k: v.replace("$CI_PROJECT_DIR", str(work / "lab")) for k, v in job["variables"].items()}, "DSD": str(root),
           "DSD_FAIL_ON": "likely-bug"}
    run("bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"]), cwd=work / "lab", env=env)
    for name in ("crashes.xml", "crashes.sarif"):
        if not (work / "lab" / name).stat().st_size:
            raise Failed(name + " is empty")


def nocgo(work):
    need("z3")
    check = work / "check"
    run("go", "build", "-o", check, "./cmd/check", cwd=root, env={**os.environ, "CGO_ENABLED": "0"})
    m = module(work)
    said = run(check, "./...", cwd=m, ok=(3,))
    if "--solver" not in said:
        raise Failed(said)
    with_solver = json.loads(run(check, "--solver", "z3 -in", "./...", cwd=m, ok=(1,)))
    want("warnings", [w["kind"] for w in with_solver["warnings"]], ["index"])


def golangci(work):
    run("go", "test", "-count=1", "./...", cwd=here / "golangci")


def vettool(work):
    said = run("go", "vet", "-vettool=" + str(root / "bin/check"), "./...", cwd=module(work), ok=(1,))
    if "out of range [dsd/index]" not in said:
        raise Failed(said)
    (work / "m/m.go").write_text(SAFE)
    run("go", "vet", "-vettool=" + str(root / "bin/check"), "./...", cwd=work / "m")


def image(work):
    need("debootstrap")
    base = work / "base"
    run("debootstrap", "--variant=minbase", "--include=gcc,libc6-dev,libz3-dev,make,git,ca-certificates", "bookworm", base)
    goroot = run("go", "env", "GOROOT").strip()
    shutil.copytree(goroot, base / "usr/local/go", symlinks=True)
    path = "/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    if shutil.which("docker") is None or subprocess.run(["docker", "info"], capture_output=True).returncode != 0:
        run("mount", "-t", "proc", "proc", base / "proc")
        try:
            inside(base, path)
        finally:
            run("umount", base / "proc")
        return
    tar = subprocess.Popen(["tar", "-C", base, "-c", "."], stdout=subprocess.PIPE)
    run("docker", "import", "-c", "ENV PATH=" + path, "-", "dsd-base", stdin=tar.stdout)
    run("docker", "build", "--network=host", "--build-arg", "BASE=dsd-base", "-t", "dsd-try", root)
    run("docker", "run", "--rm", "dsd-try", "check", "list")


def inside(base, path):
    """Does the steps of the Dockerfile in a chroot, and runs the pipeline there."""
    env = dict(os.environ, PATH=path, HOME="/home", GOPATH="/home/go", GOCACHE="/home/cache", GOMODCACHE="/home/go/pkg/mod")
    (base / "etc").joinpath("resolv.conf").write_bytes(pathlib.Path("/etc/resolv.conf").read_bytes())
    bundle = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")  # with those of a proxy, if there is one
    if bundle.exists():
        (base / "etc/ssl/certs/ca-certificates.crt").write_bytes(bundle.read_bytes())
    at = "/"

    def step(command):
        return run("chroot", base, "/bin/sh", "-c", f"mkdir -p {at} && cd {at} && {command}", env=env)
    for line in (root / "Dockerfile").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "COPY":
            to = base / rest.split()[1].lstrip("/")
            run("git", "clone", "-q", root, to)
        elif word == "WORKDIR":
            at = rest
        elif word == "RUN":
            step(rest)
        elif word == "ENV":
            env["PATH"] = rest.removeprefix("PATH=").replace("$PATH", env["PATH"])
        elif word not in ("", "ARG", "FROM", "CMD") and not word.startswith("#"):
            raise Failed(f"Dockerfile: what is {word}?")
    if "index out of range" not in step("check list"):
        raise Failed("check list, in the image: no kinds")
    shutil.copytree(root / "examples/parcel", base / "module/parcel")
    at = "/module/parcel"
    if "5 crashes reported" not in step("pipeline.sh -C . -o /out; [ $? -eq 1 ]"):
        raise Failed("pipeline.sh, in the image, does not find the crashes")


def main():
    pieces = {f.__name__: f for f in (install, editors, make, precommit, action, nocgo, golangci, vettool, image)}
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("piece", nargs="*", choices=[[], *pieces], default=[])
    bad = 0
    for name in ap.parse_args().piece or pieces:
        with tempfile.TemporaryDirectory(prefix="dsd-try-") as work:
            try:
                pieces[name](pathlib.Path(work))
                print(f"{name}: works", flush=True)
            except Skipped as why:
                print(f"{name}: skipped: {why}", flush=True)
            except Failed as err:
                bad += 1
                print(f"{name}: {err}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
