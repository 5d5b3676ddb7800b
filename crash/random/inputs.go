package random

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"dsd/crash/fuzztarget"
	"dsd/crash/search/campaign"
)

// InputError is the error of Run if what Options.Corpus or Options.State name cannot be read.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

// inputs are what the run of a package begins with.
type inputs struct {
	corpus *fuzztarget.Corpus
	state  []byte
}

// readInputs reads the inputs of all packages before the work begins.
func (t *tester) readInputs() error {
	t.inputs = make([]inputs, len(t.pkgs))
	read := 0
	for i, pkg := range t.pkgs {
		in := &t.inputs[i]
		if t.opt.Corpus != "" {
			var err error
			if in.corpus, err = fuzztarget.ReadCorpus(t.prog, pkg, t.opt.Corpus); err != nil {
				return &InputError{fmt.Errorf("--corpus %w", err)}
			}
			for _, text := range in.corpus.Unread {
				fmt.Fprintln(t.opt.Log, "left out:", text)
			}
			read += in.corpus.Inputs
		}
		if t.opt.State == "" {
			continue
		}
		name := t.stateFile(i)
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = campaign.CheckState(text)
		}
		if err != nil {
			return &InputError{fmt.Errorf("--state: %s: %w: remove it to begin anew", name, err)}
		}
		in.state = text
	}
	if t.opt.Corpus != "" {
		fmt.Fprintf(t.opt.Log, "inputs of fuzz targets: %d\n", read)
	}
	return nil
}

// stateFile returns the name of the file with the state of the i-th package.
func (t *tester) stateFile(i int) string {
	return filepath.Join(t.opt.State, url.PathEscape(t.pkgs[i].Path)+".json")
}

// writeInputs writes what the run of the i-th package keeps.
func (t *tester) writeInputs(i int, res *campaign.Result) error {
	if res.State != nil {
		if err := os.MkdirAll(t.opt.State, 0o777); err != nil {
			return err
		}
		if err := replace(t.stateFile(i), res.State); err != nil {
			return err
		}
	}
	if t.opt.NewInputs == "" || t.inputs[i].corpus == nil {
		return nil
	}
	rel, err := filepath.Rel(t.prog.Dir, t.pkgs[i].Dir)
	if err != nil {
		return err
	}
	for _, in := range t.inputs[i].corpus.Encode(res.Inputs, res.Kept, res.Graph.Table) {
		dir := filepath.Join(t.opt.NewInputs, rel, "testdata", "fuzz", in.Target)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		file := filepath.Join(dir, in.File)
		if there, err := os.ReadFile(file); err == nil && !bytes.Equal(there, in.Text) {
			continue // somebody else's
		}
		if err := os.WriteFile(file, in.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file, or leaves it as it was.
func replace(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".state-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
