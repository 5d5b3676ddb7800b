package check

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"dsd/check/prove"
	"dsd/check/smt"
)

// Where nothing has changed since an earlier run, its results are taken as they are, and nothing is lowered. Where
// something has, those of functions may still hold; see prove.Memo.

// whole are the results of a run.
type whole struct {
	// Complaints are what the run wrote to Options.Log.
	Complaints []string
	Functions  []wholeResult
}

// wholeResult is a result in its JSON form: the text in place of the error.
type wholeResult struct {
	Name   string
	Result prove.Result
	Err    string `json:",omitempty"`
}

// storable reports whether results may be kept for later runs: they depend on nothing but the testee and what base
// names.
func (o *Options) storable() bool {
	return o.Store != nil && o.Solver == "" && o.Dump == nil && o.Select == nil && len(o.Facts)+len(o.Comparisons) == 0
}

// base stands for what all results depend on besides the testee and what is assumed of it.
func (c *checker) base() string {
	return fmt.Sprintf("check %x %s %s %v %v", c.opt.Program, smt.Version(), c.prog.Platform, c.opt.Rlimit, c.opt.Recovered)
}

// wholeID returns the digest under which the results of this run are kept; ok reports whether they may be.
func (c *checker) wholeID() (id [sha256.Size]byte, ok bool) {
	// What each function took is not to be had from a store, and less memory may lead to other results.
	if !c.opt.storable() || c.opt.Functions != nil || c.opt.Took != nil || c.opt.MaxMemory != 0 {
		return id, false
	}
	sum, err := c.prog.Digest()
	if err != nil {
		return id, false
	}
	h := sha256.New()
	fmt.Fprintf(h, "whole\x00%s\x00%x\n", c.base(), sum)
	if c.opt.Assume != nil && json.NewEncoder(h).Encode(c.opt.Assume) != nil {
		return id, false
	}
	for _, b := range c.batches {
		fmt.Fprintf(h, "%v\n", b.mine)
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}

// restore takes the results of an earlier run, and reports whether there are any.
func (c *checker) restore(id [sha256.Size]byte) bool {
	var w whole
	if json.Unmarshal(c.opt.Store.Get(id), &w) != nil {
		return false
	}
	for _, text := range w.Complaints {
		c.complain(text)
	}
	for i := range w.Functions {
		f := &w.Functions[i]
		if f.Err != "" {
			f.Result.Err = errors.New(f.Err)
		}
		c.results = append(c.results, result{f.Name, &f.Result})
	}
	return true
}

// keep keeps the results for later runs, unless another run might come to others.
func (c *checker) keep(id [sha256.Size]byte) {
	w := whole{Complaints: c.complaints}
	for _, r := range c.results {
		if r.Result == nil || r.Unrepeatable {
			return
		}
		f := wholeResult{Name: r.name, Result: *r.Result}
		if r.Err != nil {
			f.Err, f.Result.Err = r.Err.Error(), nil
		}
		w.Functions = append(w.Functions, f)
	}
	if data, err := json.Marshal(w); err == nil {
		c.opt.Store.Put(id, data)
	}
}

// complain writes a line to Options.Log that belongs to the results.
func (c *checker) complain(text string) {
	c.complaints = append(c.complaints, text)
	fmt.Fprintln(c.opt.Log, text)
}
