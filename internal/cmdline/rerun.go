package cmdline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dsd/internal/cache"
	"dsd/internal/source"
)

// A Rerun is a run of a command that may have been made before: with the same arguments, by the same
// program, on the same files. What that run wrote is then taken over. The nil Rerun was never made.
type Rerun struct {
	cache    *cache.Cache
	key      cache.ID
	dir      string
	patterns []string
	ctx      *cli.Context
	begun    time.Time
	// outputs are the files and folders that the run writes to.
	outputs []string
	// local receives, while the run is made, what source.Local returns, nil if it fails. stop ends that.
	local chan []string
	stop  context.CancelFunc
}

// Written is what a run wrote.
type Written struct {
	// Trees are the digests of the files and folders that the run depends on, and Variables those of
	// environment variables.
	Trees, Variables map[string]string
	// Until is when the result is forgotten; zero for never.
	Until time.Time
	// Document is the document, and Log what was written to standard error.
	Document []byte `json:"-"`
	Log      string
	// Dirs are the folders of packages, relative to the module's root.
	Dirs map[string]string `json:",omitempty"`
}

// maxWritten is the size in bytes of the largest document that is kept.
const maxWritten = 64 << 20

// otherFlags are the flags that do not change what a command writes, but for where. The contents of the folder
// and of the documents count, not their names.
var otherFlags = []string{"C", "o", "j", "tests", "cache-prog", "progress", "v", "help", "h", "config"}

// NewRerun returns the run of a command on the module around dir, with package patterns, that reads the
// documents in the files docs; "" is none. It returns nil if nothing is kept, or a document is no file. The
// error is one of usage.
func NewRerun(c *cli.Context, dir string, patterns []string, docs ...string) (*Rerun, error) {
	kept, program, err := Cache(c)
	if kept == nil || err != nil {
		return nil, err
	}
	env, err := source.Environment(c.Context, dir)
	if err != nil || strings.Contains(env["GOFLAGS"], "-modfile") || strings.Contains(env["GOFLAGS"], "-overlay") {
		return nil, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	key := sha256.New()
	fmt.Fprintf(key, "%x %s %q %q", program, c.Command.FullName(), abs, patterns)
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		_, isBool := f.(*cli.BoolFlag) // --tests of crash names a folder; --tests of check selects functions
		if !slices.Contains(otherFlags, name) || name == "tests" && isBool {
			fmt.Fprintf(key, " %s=%q", name, fmt.Sprint(c.Value(name)))
		}
	}
	if err := json.NewEncoder(key).Encode(env); err != nil { // keys are sorted
		return nil, nil
	}
	for _, name := range docs {
		if name == "" {
			fmt.Fprint(key, "none")
			continue
		}
		if st, err := os.Stat(name); err != nil || !st.Mode().IsRegular() {
			return nil, nil
		}
		sum, _, err := cache.Tree(name)
		if err != nil {
			return nil, nil
		}
		fmt.Fprintf(key, "%x", sum)
	}
	r := &Rerun{cache: kept, key: cache.ID(key.Sum(nil)), dir: dir, patterns: patterns, ctx: c, begun: time.Now()}
	for _, flag := range []string{"o", "tests"} {
		name, _ := c.Value(flag).(string) // --tests of check is no string
		abs, err := filepath.Abs(name)
		if err != nil || name == "" {
			continue
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
			r.outputs = append(r.outputs, filepath.Join(dir, filepath.Base(abs)))
		}
	}
	return r, nil
}

// Before returns what the run wrote before, nil if it was not made or would not write the same now; then the
// caller must close r.
func (r *Rerun) Before() *Written {
	if r == nil {
		return nil
	}
	w := r.before()
	if w == nil { // what it depends on is found out beside it
		var ctx context.Context
		ctx, r.stop = context.WithCancel(r.ctx.Context)
		r.local = make(chan []string, 1)
		go func() {
			local, _ := source.Local(ctx, r.dir, r.patterns)
			r.local <- local
			close(r.local)
		}()
	}
	return w
}

// Close ends what Before began.
func (r *Rerun) Close() {
	if r != nil && r.local != nil {
		r.stop()
		for range r.local {
		}
	}
}

// before is Before, without looking for what the run depends on.
func (r *Rerun) before() *Written {
	w := decodeWritten(r.cache.Get(r.key))
	if w == nil {
		return nil
	}
	if !w.Until.IsZero() && time.Now().After(w.Until) {
		return nil
	}
	for name, sum := range w.Variables {
		if sum != fmt.Sprintf("%x", cache.EnvironmentVariable(name)) {
			return nil
		}
	}
	for dir, sum := range w.Trees {
		if now, _, err := cache.Tree(dir, r.outputs...); err != nil || fmt.Sprintf("%x", now) != sum {
			return nil
		}
	}
	return w
}

// Keep keeps what the run wrote, after Before and when its outputs are written. variables are the environment variables
// that it depends on.
func (r *Rerun) Keep(w *Written, variables []string) {
	if r == nil {
		return
	}
	local := <-r.local
	if local == nil {
		return
	}
	w.Trees, w.Variables = map[string]string{}, map[string]string{}
	for _, dir := range local {
		sum, changed, err := cache.Tree(dir, r.outputs...)
		if err != nil || changed.After(r.begun) { // perhaps it was read before
			return
		}
		w.Trees[dir] = fmt.Sprintf("%x", sum)
	}
	for _, name := range variables {
		w.Variables[name] = fmt.Sprintf("%x", cache.EnvironmentVariable(name))
	}
	if data, err := w.encode(); err == nil {
		r.cache.Put(r.key, data)
	}
}

// encode returns the form of w in the cache: one line of JSON with all fields but Document, followed by the document's
// bytes. A reader decides by the line alone whether the run applies; documents may have many megabytes.
func (w *Written) encode() ([]byte, error) {
	head, err := json.Marshal(w)
	return slices.Concat(head, []byte("\n"), w.Document), err
}

// decodeWritten is the inverse of encode. It returns nil for anything else.
func decodeWritten(data []byte) *Written {
	head, document, ok := bytes.Cut(data, []byte("\n"))
	w := &Written{Document: document}
	if !ok || json.Unmarshal(head, w) != nil {
		return nil
	}
	return w
}

// A Copy is a writer that also keeps what is written, up to maxWritten bytes.
type Copy struct {
	to  io.Writer
	buf bytes.Buffer
	// long reports whether it was more.
	long bool
}

// NewCopy returns a Copy of what is written to w.
func NewCopy(w io.Writer) *Copy { return &Copy{to: w} }

func (c *Copy) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) > maxWritten {
		c.long = true
		c.buf.Reset()
	}
	if !c.long {
		c.buf.Write(p)
	}
	return c.to.Write(p)
}

// errLong is the error of Bytes for what is too long.
var errLong = errors.New("too long to be kept")

// Bytes returns what was written.
func (c *Copy) Bytes() ([]byte, error) {
	if c.long {
		return nil, errLong
	}
	return c.buf.Bytes(), nil
}
