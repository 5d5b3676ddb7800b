package candidate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math"
	"slices"
	"sync"

	"dsd/crash/candidate/run"
	"dsd/internal/memo"
)

// The answers of a harness depend on nothing but its binary and what it was asked before. So a search that asks the same
// questions of the same binary, in the same order, gets the same answers: they are kept, and the next time neither is
// the binary built nor a process started. The questions depend on more than the binary, such as values that were
// observed elsewhere. When one differs, the harness is outdated, and the search begins anew with one that is built.

// ErrOutdated is the error of Runner.Run if the harness was not built, and what is asked was not asked before.
var ErrOutdated = errors.New("the answers that were kept are of other questions")

// transcript is what the runners of a harness asked and were answered. The nil transcript keeps nothing.
type transcript struct {
	memo *memo.Memo
	key  memo.Key
	// before are the answers of an earlier run, nil if the harness is built.
	before *kept

	mu sync.Mutex // guards what follows
	// parts are those of the runners, in the order in which they were made.
	parts []*part
	// outdated reports whether a question differed from that of the earlier run, and failed whether one was not
	// answered.
	outdated, failed bool
}

// kept is the form in which a transcript is kept.
type kept struct {
	// Dropped holds why operations do not compile, by their indices in the table that the harness was to have.
	Dropped map[int]string
	Parts   []part
}

// part is the transcript of one runner.
type part struct {
	Limits    string
	Exchanges []exchange

	n int // of the exchanges that were repeated
	// vocabulary is the one that was digested last.
	vocabulary *run.Vocabulary
	digest     [sha256.Size]byte
}

// exchange is a batch, as a digest, and what Runner.Run answered.
type exchange struct {
	Asked             [sha256.Size]byte
	Events            []Event
	Distances         []float32
	Stacks            []uint64
	Best              map[int]Program // not those that are nil
	Evaluated         int
	Processes, Panics int // of the batch
	Fault             string
}

// newTranscript returns the transcript of a harness with the key, with the answers of an earlier run if there are any.
func newTranscript(m *memo.Memo, key memo.Key) *transcript {
	t := &transcript{memo: m, key: key}
	var before kept
	if m.Get(key, &before) {
		t.before = &before
	}
	return t
}

// part returns the part of a new runner; nil if t is.
func (t *transcript) part(limits Limits) *part {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := json.Marshal(limits)
	if err != nil {
		t.failed = true
	}
	p := &part{Limits: string(text)}
	if t.before != nil {
		if i := len(t.parts); i < len(t.before.Parts) && t.before.Parts[i].Limits == p.Limits {
			p.Exchanges = t.before.Parts[i].Exchanges
		}
	}
	t.parts = append(t.parts, p)
	return p
}

// close keeps the transcript of a harness with these dropped operations.
func (t *transcript) close(dropped map[int]string) {
	if t == nil || t.before != nil || t.failed {
		return
	}
	k := &kept{Dropped: dropped}
	for _, p := range t.parts {
		k.Parts = append(k.Parts, *p)
	}
	t.memo.Put(t.key, k)
}

// answer answers a batch as the earlier run did, or with ErrOutdated.
func (t *transcript) answer(r *Runner, batch []Program) (events []Event, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := r.part
	if t.outdated || p.n == len(p.Exchanges) || p.Exchanges[p.n].Asked != p.ask(r, batch) {
		t.outdated = true
		return nil, ErrOutdated
	}
	x := &p.Exchanges[p.n]
	p.n++
	r.Distances, r.Stacks, r.Best, r.Evaluated = x.Distances, x.Stacks, nil, x.Evaluated
	if len(r.h.targets) > 0 {
		r.Best = make([]Program, len(batch))
		for i, b := range x.Best {
			r.Best[i] = b
		}
	}
	r.Processes += x.Processes
	r.Panics += x.Panics
	if r.Fault == "" {
		r.Fault = x.Fault
	}
	return slices.Clone(x.Events), nil
}

// record adds what a batch, whose digest is asked, was answered; processes and panics are their numbers before.
func (t *transcript) record(r *Runner, asked [sha256.Size]byte, events []Event, err error, processes, panics int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.failed = true
	}
	if t.failed {
		return
	}
	x := exchange{
		Asked: asked, Events: slices.Clone(events), Distances: r.Distances, Stacks: r.Stacks, Best: map[int]Program{},
		Evaluated: r.Evaluated, Processes: r.Processes - processes, Panics: r.Panics - panics, Fault: r.Fault,
	}
	for i, b := range r.Best {
		if b != nil {
			x.Best[i] = b
		}
	}
	r.part.Exchanges = append(r.part.Exchanges, x)
}

// ask returns the digest of a batch and of how it is run.
func (p *part) ask(r *Runner, batch []Program) (asked [sha256.Size]byte) {
	h := sha256.New()
	if v := r.Climb.Vocabulary; v != nil && v != p.vocabulary {
		text, err := v.Encode()
		if err != nil {
			text = []byte(err.Error())
		}
		p.vocabulary, p.digest = v, sha256.Sum256(text)
	}
	fmt.Fprintf(h, "%d %x %d %x %d %v %v %d\n", r.Climb.Variants, math.Float32bits(r.Climb.Bound), r.Climb.Time, p.digest,
		r.Target, r.AllTargets, r.Continues, len(batch))
	writePrograms(h, batch, r.h.Table)
	return [sha256.Size]byte(h.Sum(nil))
}

// writePrograms writes programs as they go to the process.
func writePrograms(h hash.Hash, batch []Program, table []*Op) {
	var buf []byte
	for _, p := range batch {
		buf = p.Append(buf[:0], table)
		h.Write(binary.AppendUvarint(nil, uint64(len(buf))))
		h.Write(buf)
	}
}
