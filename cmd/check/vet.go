package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"dsd/check"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// go vet -vettool=CHECK asks a tool with -V=full for its version, with -flags for its flags, and then runs it
// on each package, which a file describes whose name ends in .cfg.

// vetFlag is a flag in the answer to -flags.
type vetFlag struct {
	Name  string
	Bool  bool
	Usage string
}

var vetFlags = []vetFlag{
	{"assume", false, "assume the invariants in `FILE`, an absolute path"},
	{"kinds", false, "report only the kinds of `LIST`, separated by commas"},
}

// vetConfig is what the go command says of a package.
type vetConfig struct {
	Dir        string
	ImportPath string
	GoFiles    []string
	VetxOnly   bool   // the package is a dependency of those to check
	VetxOutput string // to be written, whatever it has
}

// isVet reports whether the go command runs check as a vet tool.
func isVet(args []string) bool {
	return len(args) == 1 && (args[0] == "-V=full" || args[0] == "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vet does what the go command asks for, and returns the exit status: 1 for warnings with a counterexample.
func vet(args []string, stdout, stderr io.Writer) int {
	switch args[0] {
	case "-V=full":
		sum, err := programSum()
		if err != nil {
			fmt.Fprintln(stderr, "check:", err)
			return 3
		}
		fmt.Fprintf(stdout, "check version devel buildID=%x\n", sum)
		return 0
	case "-flags":
		text, err := json.Marshal(vetFlags)
		if err != nil {
			panic(err) // it is a constant
		}
		fmt.Fprintf(stdout, "%s\n", text)
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := vetPackage(ctx, args, stderr)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "check:", err)
		return 3
	case found:
		return 1
	}
	return 0
}

// programSum returns a checksum of this program.
func programSum() ([]byte, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// vetPackage checks the package that the last argument describes; the others are flags.
func vetPackage(ctx context.Context, args []string, w io.Writer) (found bool, err error) {
	text, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		return false, err
	}
	var cfg vetConfig
	if err := json.Unmarshal(text, &cfg); err != nil {
		return false, fmt.Errorf("%s: %w", args[len(args)-1], err)
	}
	if cfg.VetxOutput != "" {
		if err := os.WriteFile(cfg.VetxOutput, nil, 0o666); err != nil {
			return false, err
		}
	}
	isTest := func(name string) bool { return strings.HasSuffix(name, "_test.go") }
	if cfg.VetxOnly || !slices.ContainsFunc(cfg.GoFiles, func(name string) bool { return !isTest(name) }) {
		return false, nil
	}
	opt := check.Options{Log: io.Discard, Jobs: 1} // the go command runs several
	for _, a := range args[:len(args)-1] {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case name == "assume" && value != "":
			if opt.Assume, err = readAssumed(value); err != nil {
				return false, err
			}
		case name == "kinds" && value != "":
			for _, k := range strings.Split(value, ",") {
				if !slices.Contains(schemas.Kinds, schemas.Kind(k)) {
					return false, fmt.Errorf("-kinds: unknown kind %q: see check list", k)
				}
				opt.Kinds = append(opt.Kinds, schemas.Kind(k))
			}
		case value != "":
			return false, fmt.Errorf("unknown flag %s", a)
		}
	}
	prog, err := source.Load(ctx, cfg.Dir, []string{"."})
	if err != nil {
		return false, err
	}
	if opt.Assume != nil && opt.Assume.Module.Path != prog.Module {
		opt.Assume = nil // a package of another module
	}
	doc, err := check.Run(ctx, prog, opt)
	if err != nil {
		return false, err
	}
	for i := range doc.Warnings {
		x := &doc.Warnings[i]
		if x.Status != schemas.Sat || x.Recovered || x.Ignored != "" {
			continue
		}
		at := symbol.ParsePos(x.Pos)
		if !filepath.IsAbs(at.File) && !strings.Contains(at.File, "@") {
			at.File = filepath.Join(prog.Dir, filepath.FromSlash(at.File))
		}
		if _, err := fmt.Fprintf(w, "%s: %s [dsd/%s]\n", at, x.Message, x.Kind); err != nil {
			return false, err
		}
		found = true
	}
	return found, nil
}

// readAssumed reads an invariants document.
func readAssumed(name string) (*schemas.Invariants, error) {
	if !filepath.IsAbs(name) {
		return nil, errors.New("-assume: want an absolute path: go vet runs in the folder of each package")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return schemas.ReadInvariants(f, name)
}
