#!/usr/bin/env python3
"""Runs all commands in the environments that real modules live in, and checks what comes out.

usage: environments.py [-v] [--bin DIR] [--jobs N] [PATTERN...]      (build first: make)

Each environment is a small module that the script writes, with what is special about it: a workspace,
cgo, flags of the go command, tests that fail, hang or exit, files that do not compile, names, limits. In
each, infer trace, check, crash confirm and crash random run. Checked are the exit status, the documents
or the message, that the module's folder is the same before and after, and that nothing is left in
TMPDIR. Environments whose name contains a PATTERN run, by default all. Exit status 1 if any is not as
expected.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

# The module of most environments. Price panics for an index out of range, Half for 0.
MOD = "module example.com/shop\n\ngo 1.24\n"
SHOP = """package shop

func Price(items []int, i int) int {
	return items[i]
}

func Half(n int) int {
	return 10 / n
}
"""
TEST = """package shop

import "testing"

func TestPrice(t *testing.T) {
	for n := 1; n < 9; n++ {
		if Price(make([]int, n), n-1) != 0 || Half(n) != 10/n {
			t.Error(n)
		}
	}
}
"""
PLAIN = {"go.mod": MOD, "shop.go": SHOP, "shop_test.go": TEST}


class Fail:
    """The command ends with a status, and a line of its standard error contains the text."""

    def __init__(self, status, text):
        self.status, self.text = status, text


class Found:
    """The command ends with status 1 for check and crash, 0 for infer, and the document has something at
    these places: warnings, crashes or functions of the trace."""

    def __init__(self, *places, status=None, says=""):
        self.places, self.status, self.says = places, status, says


class Nothing(Found):
    """The command succeeds, and finds nothing. The text is in its standard error."""

    def __init__(self, says=""):
        super().__init__(status=0, says=says)


SITES = Found("shop.go:4", "shop.go:8")
CALLS = Found("example.com/shop.Price", "example.com/shop.Half")

# How long crash random tries, unless the environment says otherwise.
EFFORT = ["--candidates", "2000"]
FEW_SECONDS = ["--time", "3s"]

# Each environment: its name, the files that differ from PLAIN (None removes one), and by keyword what else
# is special: env are environment variables (None removes one), prepare is called with the directory, sub is
# the directory to run in, limits are for ulimit, and trace, check, confirm and random what is expected of
# these, None if it is not run.
ENVIRONMENTS = []


def environment(name, files={}, **special):
    ENVIRONMENTS.append((name, files, special))


environment("plain", effort=FEW_SECONDS)

# Modules and workspaces.
SHELF = {"shelf/go.mod": "module example.com/shelf\n\ngo 1.24\n",
         "shelf/shelf.go": "package shelf\n\nfunc At(s string, i int) byte {\n\treturn s[i]\n}\n",
         "shelf/shelf_test.go": "package shelf\n\nimport \"testing\"\n\nfunc TestAt(t *testing.T) {\n"
                                "\tAt(\"abc\", 1)\n}\n"}
environment("nested module", SHELF)
environment("workspace, in a module", {**SHELF, "go.work": "go 1.24\n\nuse (\n\t.\n\t./shelf\n)\n"})
environment("workspace of siblings, in one", {
    "go.mod": None, "shop.go": None, "shop_test.go": None, **SHELF,
    "shop/go.mod": MOD, "shop/shop.go": SHOP, "shop/shop_test.go": TEST,
    "go.work": "go 1.24\n\nuse (\n\t./shop\n\t./shelf\n)\n"}, sub="shop")
SIBLINGS = {"go.mod": None, "shop.go": None, "shop_test.go": None, **SHELF,
            "shop/go.mod": MOD, "shop/shop.go": SHOP, "shop/shop_test.go": TEST,
            "shop/uses.go": "package shop\n\nimport \"example.com/shelf\"\n\nfunc First(s string) byte {\n"
                            "\treturn shelf.At(s, 0)\n}\n",
            "go.work": "go 1.24\n\nuse (\n\t./shop\n\t./shelf\n)\n"}
environment("workspace of siblings, an import between them", SIBLINGS, sub="shop",
            check=Found("shop.go:4", "example.com/shelf/shelf.go:4"),
            confirm=Found("shop.go:4", "example.com/shelf/shelf.go:4"))
everywhere = Found("shop/shop.go:4", "shop/shop.go:8", "shelf/shelf.go:4")
environment("workspace of siblings, at its root", SIBLINGS, check=everywhere, confirm=everywhere,
            random=everywhere, trace=Found("example.com/shop.Price", "example.com/shelf.At"))
environment("workspace, GOWORK=off", {**SHELF, "go.work": "go 1.24\n\nuse ./shelf\n"},
            env={"GOWORK": "off"})
USES = {"uses.go": "package shop\n\nimport \"example.com/shelf\"\n\nfunc First(s string) byte {\n"
                   "\treturn shelf.At(s, 0)\n}\n"}
environment("crash in another module", {
    "go.mod": MOD + "\nrequire example.com/shelf v0.0.0\n\nreplace example.com/shelf => ../shelf\n", **USES},
            prepare=lambda root: [((root.parent / f).parent.mkdir(exist_ok=True), (root.parent / f).write_text(t))
                                  for f, t in SHELF.items()],
            random=Found("shop.go:4", "example.com/shelf@v0.0.0/shelf.go:4"))
environment("replaced module", {
    **SHELF, **USES, "go.mod": MOD + "\nrequire example.com/shelf v0.0.0\n\n"
                                     "replace example.com/shelf => ./shelf\n"})
environment("vendored module", {
    **USES, "go.mod": MOD + "\nrequire example.com/shelf v1.0.0\n",
    "vendor/example.com/shelf/shelf.go": SHELF["shelf/shelf.go"],
    "vendor/modules.txt": "# example.com/shelf v1.0.0\n## explicit; go 1.24\nexample.com/shelf\n"})
environment("major version", {"go.mod": MOD.replace("shop\n", "shop/v2\n")},
            trace=Found("example.com/shop/v2.Price"))
environment("module path without a dot", {"go.mod": "module shop\n\ngo 1.24\n"},
            trace=Found("shop.Price"))
environment("old go line", {"go.mod": "module example.com/shop\n\ngo 1.13\n"})
environment("no go line", {"go.mod": "module example.com/shop\n"})
environment("GO111MODULE=off", env={"GO111MODULE": "off"}, trace=Fail(2, "go.mod"),
            check=Fail(2, "go.mod"), random=Fail(2, "go.mod"), confirm=None)
NOTHING = {f: None for f in PLAIN}
environment("no go.mod", {"go.mod": None}, trace=Fail(2, "go.mod"), check=Fail(2, "go.mod"),
            random=Fail(2, "go.mod"), confirm=None)
environment("no Go files", {**NOTHING, "go.mod": MOD}, trace=Fail(2, "no package"),
            check=Fail(2, "no package"), random=Fail(2, "no package"), confirm=None)
environment("newer go line", {"go.mod": MOD.replace("1.24", "1.99")}, env={"GOTOOLCHAIN": "local"},
            trace=Fail(3, "1.99"), check=Fail(3, "1.99"), random=Fail(3, "1.99"), confirm=None)

# Flags and variables of the go command.
for flag in ["-cover", "-race", "-trimpath", "-mod=mod", "-buildvcs=false", "-v", "-run=^$", "-json"]:
    environment("GOFLAGS=" + flag, env={"GOFLAGS": flag})
environment("GOFLAGS=-tags", {
    "shop.go": "//go:build sale\n\n" + SHOP.replace("return items", "_ = 1\n\treturn items", 1),
    "other.go": "//go:build !sale\n\npackage shop\n\nfunc Price(items []int, i int) int { return 0 }\n\n"
                "func Half(n int) int { return 10 / n }\n"},
            env={"GOFLAGS": "-tags=sale"}, check=Found("shop.go:7", "shop.go:11"),
            confirm=Found("shop.go:7", "shop.go:11"), random=Found("shop.go:7", "shop.go:11"))
environment("GOFLAGS=-modfile", {"alt.mod": MOD, "go.mod": "module example.com/other\n"},
            env={"GOFLAGS": "-modfile=alt.mod"})
environment("GOEXPERIMENT", env={"GOEXPERIMENT": "nodwarf5"})
environment("CGO_ENABLED=0", env={"CGO_ENABLED": "0"})
environment("GOCACHE=off", env={"GOCACHE": "off"}, trace=Fail(3, "GOCACHE"), confirm=Fail(3, "GOCACHE"),
            random=Fail(3, "GOCACHE"))
environment("no HOME", env={"HOME": None, "XDG_CACHE_HOME": None, "GOCACHE": None, "GOPATH": None,
                            "GOMODCACHE": None},
            trace=Fail(3, "HOME"), confirm=Fail(3, "HOME"), random=Fail(3, "HOME"))
environment("no HOME but caches", env={"HOME": None})
environment("GOARCH=386", env={"GOARCH": "386"}, trace=Fail(3, "do not run on this machine"),
            confirm=Fail(3, "do not run on this machine"), random=Fail(3, "do not run on this machine"))
environment("GOOS=windows", env={"GOOS": "windows"}, trace=Fail(3, "do not run on this machine"),
            confirm=Fail(3, "do not run on this machine"), random=Fail(3, "do not run on this machine"))

# Temporary directories.
for name in ["a[b", "a*b", "a?b", "a b", "a'b", "ä\u20ac"]:
    environment("TMPDIR with " + name, tmp=name)
environment("TMPDIR is missing", tmp="", env={"TMPDIR": "/nonexistent/tmp"}, trace=Fail(3, "/nonexistent"),
            check=Fail(3, "/nonexistent"), random=Fail(3, "/nonexistent"), confirm=None)

# Where the module is.
for name in ["a b", "a[b]", "ä\u20ac", "a'b", "@v1", "$HOME"]:
    environment("folder " + name, folder=name)


def link(root):
    os.rename(root, str(root) + ".real")
    os.symlink(str(root) + ".real", root)


environment("folder is a link", prepare=link)
environment("linked file", {"shop.go": None},
            prepare=lambda root: ((root / "shop.txt").write_text(SHOP),
                                  os.symlink("shop.txt", root / "shop.go")))

# cgo and other files.
C = "package shop\n\n/*\nstatic int twice(int x) { return 2 * x; }\n*/\nimport \"C\"\n\n"
environment("cgo", {"c.go": C + "func Twice(s []int, x int) int {\n\treturn s[C.twice(C.int(x))]\n}\n"},
            check=Found("shop.go:4", "c.go:9"))
environment("cgo only", {"shop.go": C + SHOP.split("\n\n", 1)[1] + "\nvar _ = C.twice\n"},
            check=Found("shop.go:9"), confirm=Found("shop.go:9"), random=Found("shop.go:9"))
environment("imports cgo", {
    "c/c.go": C.replace("package shop", "package c") + "func Twice(x int) int { return int(C.twice(C.int(x))) }\n",
    "use.go": "package shop\n\nimport \"example.com/shop/c\"\n\nfunc Get(s []int, x int) int {\n"
              "\treturn s[c.Twice(x)]\n}\n"})
environment("cgo, CGO_ENABLED=0", {"c.go": C + "func Twice(x int) int { return int(C.twice(C.int(x))) }\n"},
            env={"CGO_ENABLED": "0"})
environment("assembly", {"add_amd64.s": "#include \"textflag.h\"\n\nTEXT ·add(SB), NOSPLIT, $0-24\n"
                         "\tMOVQ a+0(FP), AX\n\tADDQ b+8(FP), AX\n\tMOVQ AX, ret+16(FP)\n\tRET\n",
                         "add.go": "package shop\n\nfunc add(a, b int) int\n\n"
                                   "func At(s []int, a int) int {\n\treturn s[add(a, 1)]\n}\n"})
environment("embedded files", {"words.txt": "one\n", "embed.go":
                               "package shop\n\nimport _ \"embed\"\n\n//go:embed words.txt\nvar words string\n\n"
                               "func Letter(i int) byte { return words[i] }\n"},
            check=Found("shop.go:4", "embed.go:8"), confirm=Found("shop.go:4", "embed.go:8"))
environment("//line directives", {"shop.go": SHOP.replace("\treturn items", "//line shop.y:100\n\treturn items")},
            check=Found("shop.go:5", "shop.go:9"), confirm=Found("shop.go:5", "shop.go:9"),
            random=Found("shop.go:5", "shop.go:9"))
environment("byte order mark and CRLF", {"shop.go": "\ufeff" + SHOP.replace("\n", "\r\n")})

# Names that generated code may use, too.
environment("names of packages", {"names.go": "package shop\n\nvar (\n\tzzdebug, math, fmt, os, testing_, dsd int\n"
                                  "\truntime, reflect, json, zz_dsd, zz_testing, sync, atomic, unsafe_ int\n)\n"})
environment("predeclared names", {"names.go": "package shop\n\nvar len, new, copy = 1, 2, 3\n\n"
                                  "func append(x []int) []int { return x }\n\nfunc min(a int) int { return a }\n\n"
                                  "func print() {}\n\ntype any struct{}\n\ntype byte int\n",
                                  "shop_test.go": None}, trace=Found(status=0))
environment("package main", {"shop.go": SHOP.replace("package shop", "package main") + "\nfunc main() {}\n",
                             "shop_test.go": TEST.replace("package shop", "package main")},
            trace=Found("example.com/shop.Price"))
environment("package name differs", {"shop.go": SHOP.replace("package shop", "package store"),
                                     "shop_test.go": TEST.replace("package shop", "package store")})
environment("package test", {"test/test.go": SHOP.replace("package shop", "package test"),
                             "test/t_test.go": TEST.replace("package shop", "package test")},
            check=Found("shop.go:4", "test/test.go:4"), confirm=Found("shop.go:4", "test/test.go:4"))
environment("internal package", {"internal/deep/d.go": SHOP.replace("package shop", "package deep")},
            check=Found("internal/deep/d.go:4"), confirm=Found("internal/deep/d.go:4"))
environment("dot import", {"use.go": "package shop\n\nimport . \"strings\"\n\nfunc Up(s string) byte {\n"
                           "\treturn ToUpper(s)[0]\n}\n"})

# Tests of every make.


def main_test(body, imports="\"testing\"", name="func TestMain(m *testing.M) {"):
    return {"main_test.go": "package shop\n\nimport (\n\t%s\n)\n\n%s\n\t%s\n}\n" % (
        imports.replace(" ", "\n\t"), name, body.replace("\n", "\n\t"))}


environment("TestMain exits with m.Run", main_test("os.Exit(m.Run())", "\"os\" \"testing\""))
environment("TestMain does not run tests", main_test("os.Exit(0)", "\"os\" \"testing\""),
            trace=Found(status=0))
environment("TestMain fails", main_test("os.Exit(3)", "\"os\" \"testing\""), trace=Found(status=0, says="shop"))
environment("TestMain panics", main_test("panic(\"no server\")"), trace=Found(status=0, says="shop"))
environment("TestMain wants a variable", main_test(
    "if os.Getenv(\"SHOP_DB\") == \"\" {\n\tprintln(\"SHOP_DB is not set\")\n\tos.Exit(1)\n}\nos.Exit(m.Run())",
    "\"os\" \"testing\""), trace=Found(status=0, says="shop"))
environment("TestMain listens", main_test(
    "l, err := net.Listen(\"tcp\", \"127.0.0.1:0\")\nif err != nil {\n\tpanic(err)\n}\ndefer l.Close()\nm.Run()",
    "\"net\" \"testing\""))
environment("init panics in a test", main_test("panic(\"not here\")", name="func init() {\n\t_ = testing.Short"),
            trace=Found(status=0, says="shop"))
environment("init panics", {"init.go": "package shop\n\nfunc init() {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n"},
            trace=Found(status=0, says="shop"), check=Found("init.go:5", "shop.go:4"), confirm=Found("init.go:5"),
            random=Fail(3, "assignment to entry in nil map"))
FAILS = {"fails_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) {\n"
                          "\tt.Fatal(\"no network\")\n}\n"}
environment("a test fails", FAILS, trace=Found("example.com/shop.Price", says="TestFails"))
environment("a test panics", {"fails_test.go": FAILS["fails_test.go"].replace("t.Fatal", "panic")},
            trace=Found("example.com/shop.Price", says="TestFails"))
environment("a test exits", {"fails_test.go": FAILS["fails_test.go"].replace(
    "t.Fatal(\"no network\")", "os.Exit(1)").replace("import ", "import \"os\"\nimport ")},
            trace=Found("example.com/shop.Price", says="TestFails"))
environment("a test hangs", {"fails_test.go": FAILS["fails_test.go"].replace("t.Fatal(\"no network\")", "select {}")},
            trace=Found("example.com/shop.Price", says="TestFails"), args={"trace": ["--timeout", "3s"]})
environment("test files do not compile", {"bad_test.go": "package shop\n\nvar x int = \"\"\n"},
            trace=Fail(3, "bad_test.go"))
environment("one package's tests do not compile", {
    "sub/sub.go": "package sub\n", "sub/s_test.go": "package sub\n\nvar x int = \"\"\n"},
            trace=Found("example.com/shop.Price", says="s_test.go"))
environment("one package does not compile", {"sub/sub.go": "package sub\n\nvar x int = \"\"\n"},
            trace=Found("example.com/shop.Price", says="sub.go"), check=Found("shop.go:4", says="sub.go"),
            confirm=Found("shop.go:4"), random=Found("shop.go:4", says="sub.go"))
environment("a missing dependency", {"sub/sub.go": "package sub\n\nimport _ \"example.com/none\"\n"},
            trace=Found("example.com/shop.Price", says="example.com/none"),
            check=Found("shop.go:4", says="example.com/none"), confirm=Found("shop.go:4"),
            random=Found("shop.go:4", says="example.com/none"))
environment("a test forks itself", {"fork_test.go": "package shop\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\t\"testing\"\n)\n\n"
            "func TestFork(t *testing.T) {\n\tif os.Getenv(\"CHILD\") != \"\" {\n\t\tPrice([]int{1}, 0)\n\t\treturn\n\t}\n"
            "\tcmd := exec.Command(os.Args[0], \"-test.run=TestFork$\")\n\tcmd.Env = append(os.Environ(), \"CHILD=1\")\n"
            "\tif err := cmd.Run(); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"})
environment("a test writes into its folder", {"write_test.go": "package shop\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n"
            "func TestWrite(t *testing.T) {\n\tif err := os.WriteFile(\"made.txt\", nil, 0o666); err != nil {\n"
            "\t\tt.Fatal(err)\n\t}\n\tos.MkdirAll(\"testdata/made\", 0o777)\n}\n"})
environment("a test reads testdata", {"testdata/a.txt": "1", "read_test.go":
            "package shop\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestRead(t *testing.T) {\n"
            "\tif _, err := os.ReadFile(\"testdata/a.txt\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n"
            "\tif _, err := os.ReadFile(\"../shop/shop.go\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tHalf(1)\n}\n"},
            folder="shop")
environment("a test changes directory", {"dir_test.go": "package shop\n\nimport \"testing\"\n\n"
            "func TestDir(t *testing.T) {\n\tt.Chdir(t.TempDir())\n\tt.Setenv(\"HOME\", \"/\")\n\tHalf(3)\n}\n"})
environment("parallel tests", {"par_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestMany(t *testing.T) {\n"
            "\tfor i := range 20 {\n\t\tt.Run(\"\", func(t *testing.T) {\n\t\t\tt.Parallel()\n\t\t\tHalf(i + 1)\n\t\t})\n\t}\n}\n"})
environment("external tests only", {"shop_test.go": TEST.replace("package shop", "package shop_test").replace(
    "import \"testing\"", "import (\n\t\"testing\"\n\n\t. \"example.com/shop\"\n)")})
environment("no tests", {"shop_test.go": None}, trace=Found(status=0))
environment("examples only", {"shop_test.go": "package shop\n\nimport \"fmt\"\n\nfunc ExamplePrice() {\n"
            "\tfmt.Println(Price([]int{1, 2}, 1), Half(5))\n\t// Output: 2 2\n}\n"})
environment("fuzz seeds only", {"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc FuzzHalf(f *testing.F) {\n"
            "\tf.Add(3)\n\tf.Fuzz(func(t *testing.T, n int) { Half(n) })\n}\n",
            "testdata/fuzz/FuzzHalf/one": "go test fuzz v1\nint(5)\n"},
            trace=Found("example.com/shop.Half"))
environment("benchmarks only", {"shop_test.go": "package shop\n\nimport \"testing\"\n\n"
            "func BenchmarkHalf(b *testing.B) {\n\tfor b.Loop() {\n\t\tHalf(3)\n\t}\n}\n"},
            trace=Found("example.com/shop.Half"), args={"trace": ["--bench"]})

# Large things.


def crashing(n):
    """Returns a file of n functions that all can panic."""
    return {"many.go": "package shop\n\n" + "".join(
        "func F%d(s []int, i int) int { return s[i] + %d }\n" % (i, i) for i in range(n))}


environment("1,500 functions", crashing(1500), effort=FEW_SECONDS, confirm=None, random=Found("many.go"))
environment("200 crashes", crashing(200), effort=FEW_SECONDS, random=Found("many.go"))
environment("a large table", {"table.go": "package shop\n\nvar table = []int{\n" + "".join(
    "\t%d,\n" % (i * 7 % 1001) for i in range(100000)) + "}\n\nfunc Entry(i int) int {\n\treturn table[i]\n}\n"},
            check=Found("table.go:100007", "shop.go:4"))
environment("a long function", {"long.go": "package shop\n\nfunc Long(s []int) (n int) {\n" + "".join(
    "\tif s[%d] > n {\n\t\tn += %d\n\t}\n" % (i % 7, i) for i in range(3000)) + "\treturn n\n}\n"})
environment("many functions", {"many.go": "package shop\n\n" + "".join(
    "func Many%d(n int) int { return n + %d }\n" % (i, i) for i in range(3500))}, trace=None, confirm=None, effort=FEW_SECONDS)
environment("many methods of a large struct", {"wide.go": "package shop\n\ntype Wide struct {\n" + "".join(
    "\tF%d []int\n" % i for i in range(50)) + "}\n\n" + "".join(
    "func (w *Wide) M%d(i int) int { return w.F%d[i] }\n" % (i, i % 50) for i in range(100))}, effort=FEW_SECONDS)

# Limits.
environment("little address space", limits=["-v", "2500000"], trace=None, check=None,
            confirm=Fail(3, "no test could be run"), random=Fail(3, "no package can be tested"))
environment("few files", limits=["-n", "16"], trace=None, check=None, confirm=Fail(3, "too many open files"),
            random=Fail(3, "too many open files"))
environment("small files", limits=["-f", "100"], trace=None, check=None, confirm=Fail(3, "file too large"),
            random=Fail(3, "file too large"))


def tree(root):
    """Returns a digest of each file below a folder."""
    out = {}
    for p in sorted(pathlib.Path(root).rglob("*")):
        at = str(p.relative_to(root))
        if p.is_symlink():
            out[at] = os.readlink(p)
        elif p.is_file():
            out[at] = hashlib.sha256(p.read_bytes()).hexdigest() + oct(stat.S_IMODE(p.stat().st_mode))
        else:
            out[at] = "folder"
    return out


class Run:
    """One environment, and what was not as expected in it."""

    def __init__(self, name, files, special, bin):
        self.name, self.special, self.bin, self.wrong, self.seconds = name, special, bin, [], 0
        self.base = tempfile.mkdtemp(prefix="dsd-environments-")
        self.root = pathlib.Path(self.base, "at", special.get("folder", "shop"))
        for file, text in {**PLAIN, **files}.items():
            if text is not None:
                path = self.root / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())
        self.root.mkdir(parents=True, exist_ok=True)
        if "prepare" in special:
            special["prepare"](self.root)
        self.tmp = os.path.join(self.base, "tmp", special.get("tmp", ""))
        os.makedirs(self.tmp)
        self.env = dict(os.environ, TMPDIR=self.tmp)
        go = subprocess.run(["go", "env", "GOCACHE", "GOMODCACHE"], capture_output=True, text=True).stdout.split()
        self.env.update(GOCACHE=go[0], GOMODCACHE=go[1])
        if "limits" in special:  # the go command keeps in its cache which packages it could not read
            self.env["GODEBUG"] = "goindex=0"
        for key, value in special.get("env", {}).items():
            self.env.pop(key, None)
            if value is not None:
                self.env[key] = value

    def command(self, stage, tool, *args, input="", plain=False):
        """Runs a command; returns its status, output and messages."""
        line = [os.path.join(self.bin, tool), *args, *self.special.get("args", {}).get(stage, [])]
        if not plain and "limits" in self.special:
            line = ["sh", "-c", "ulimit %s && exec \"$@\"" % " ".join(self.special["limits"]), "sh"] + line
        p = subprocess.Popen(line, cwd=self.root / self.special.get("sub", "."), env=self.env, text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             start_new_session=True)
        try:
            out, err = p.communicate(input, timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return None, "", "not done after 300 s"
        return p.returncode, out, err

    def expect(self, stage, default, status, out, err):
        """Compares a result with what is expected; returns the document, None if there is none."""
        want = self.special.get(stage, default)
        say = lambda text: self.wrong.append("%s: %s; %s" % (stage, text, (err.strip() or "no message")[:300]))
        expected = want.status if want.status is not None else 0 if stage == "trace" else 1
        if status != expected:
            say("status %s, want %s" % (status, expected))
        if isinstance(want, Fail):
            if want.text not in err:
                say("the message does not name %r" % want.text)
            if err.count("\n") > 12 or "goroutine " in err:
                say("the message is long")
            return None
        if want.says not in err:
            say("nothing says %r" % want.says)
        found = places(stage, out)
        if found is None:
            say("no document")
            return None
        for p in want.places:
            if not any(f == p or f.startswith(p + ":") for f in found):
                say("nothing at %s, only %s" % (p, sorted(found)[:4]))
        if isinstance(want, Nothing) and found:
            say("it found %s" % sorted(found)[:4])
        return out

    def run(self):
        began = time.time()
        before = tree(self.root)
        want = self.special
        if want.get("trace", CALLS) is not None:
            self.expect("trace", CALLS, *self.command("trace", "infer", "trace"))
        warnings = None
        if want.get("check", SITES) is not None:
            warnings = self.expect("check", SITES, *self.command("check", "check"))
        elif want.get("confirm", SITES) is not None:
            _, warnings, _ = self.command("check", "check", plain=True)
        if want.get("confirm", SITES) is not None and warnings:
            self.expect("confirm", SITES, *self.command("confirm", "crash", "confirm", input=warnings))
        if want.get("random", SITES) is not None:
            self.expect("random", SITES, *self.command("random", "crash", "random", *want.get("effort", EFFORT)))
        after = tree(self.root)
        for f in sorted(set(before) | set(after)):
            if before.get(f) != after.get(f):
                self.wrong.append("%s in the module's folder is not as before" % f)
        if os.path.isdir(self.tmp):
            for f in os.listdir(self.tmp):
                self.wrong.append("%s is left in TMPDIR" % f)
        self.seconds = time.time() - began
        shutil.rmtree(self.base, ignore_errors=True)
        return self


def places(stage, text):
    """Returns where a document has findings; None if it is no whole document."""
    try:
        if stage == "trace":
            lines = [json.loads(line) for line in text.splitlines()]
            points = lines[0]["points"]
            return {points[x["p"]]["func"] for x in lines[1:] if "p" in x}
        doc = json.loads(text)
    except (ValueError, IndexError):
        return None
    if stage == "check":
        return {w["pos"] for w in doc["warnings"]}
    return {c["pos"] for c in doc["crashes"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("-v", action="store_true", help="print each environment")
    parser.add_argument("--bin", default=str(root / "bin"), help="directory of the commands")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="environments at the same time")
    parser.add_argument("pattern", nargs="*")
    args = parser.parse_args()
    chosen = [e for e in ENVIRONMENTS if not args.pattern or any(p in e[0] for p in args.pattern)]
    bin = os.path.abspath(args.bin)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for run in pool.map(lambda e: Run(*e, bin).run(), chosen):
            wrong += bool(run.wrong)
            if args.v or run.wrong:
                print("%-36s %5.1f s  %s" % (run.name, run.seconds, "as expected" if not run.wrong else "WRONG"))
            for text in run.wrong:
                print("    " + text.replace("\n", "\n    "))
            sys.stdout.flush()
    print("%d environments, %d not as expected" % (len(chosen), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
