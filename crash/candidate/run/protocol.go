//go:build go1.21

package run

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"time"
	"unsafe"
)

// File descriptors of the process, besides the standard ones.
const (
	batchFD  = 3 // batches are read from it
	reportFD = 4 // reports are written to it
	sharedFD = 5 // the file of SharedSize bytes that is mapped by both sides
)

// Environment variables that configure the process.
const (
	// PassesVariable holds the number of loop passes and calls of the testee's functions that a
	// candidate may make; unset or 0 for any number.
	PassesVariable = "DSD_PASSES"
	// SameVariable holds the number of panics with the same stack that are reported in the life
	// of the process.
	SameVariable = "DSD_SAME"
	// LazyVariable, if set, limits the time that goes into resetting package-level variables to
	// one part in resetShare.
	LazyVariable = "DSD_LAZY"
)

// NumbersVariable holds the integers in the message of the panic that is sought, separated by spaces.
const NumbersVariable = "DSD_NUMBERS"

// HeadSize is the size of an encoded Head, in bytes.
const HeadSize = 37

// Head is what precedes a batch on the pipe. A vocabulary follows it, and then the candidates, each
// after the number that its variants are drawn with.
type Head struct {
	// Size is the size of all candidates, in bytes; Count is their number.
	Size, Count uint32
	// First is the number of the first candidate. Candidates are numbered from 0 on over the
	// life of the process.
	First uint64
	// Variants and Bound are those of candidate.Climb: how many variants are tried in vain of a
	// candidate whose distance is at most Bound.
	Variants uint32
	Bound    float32
	// VocabularySize is the size of the vocabulary, in bytes; 0 if that of the batch before
	// still holds.
	VocabularySize uint32
	// Time is how long the variants of one candidate may take, in whole microseconds.
	Time time.Duration
	// Target is the index of the trail to which distances are reported.
	Target uint32
	// All says to report which candidates are nearer to any trail than all before.
	All bool
}

// Put encodes h into the first HeadSize bytes of b, little-endian.
func (h *Head) Put(b []byte) {
	binary.LittleEndian.PutUint32(b[0:], h.Size)
	binary.LittleEndian.PutUint32(b[4:], h.Count)
	binary.LittleEndian.PutUint64(b[8:], h.First)
	binary.LittleEndian.PutUint32(b[16:], h.Variants)
	binary.LittleEndian.PutUint32(b[20:], math.Float32bits(h.Bound))
	binary.LittleEndian.PutUint32(b[24:], h.VocabularySize)
	binary.LittleEndian.PutUint32(b[28:], uint32(h.Time.Microseconds()))
	binary.LittleEndian.PutUint32(b[32:], h.Target)
	b[36] = 0
	if h.All {
		b[36] = 1
	}
}

// get decodes what Put encoded.
func (h *Head) get(b []byte) {
	*h = Head{
		Size:           binary.LittleEndian.Uint32(b[0:]),
		Count:          binary.LittleEndian.Uint32(b[4:]),
		First:          binary.LittleEndian.Uint64(b[8:]),
		Variants:       binary.LittleEndian.Uint32(b[16:]),
		Bound:          math.Float32frombits(binary.LittleEndian.Uint32(b[20:])),
		VocabularySize: binary.LittleEndian.Uint32(b[24:]),
	}
	h.Target, h.All = binary.LittleEndian.Uint32(b[32:]), b[36] != 0
	h.Time = time.Duration(binary.LittleEndian.Uint32(b[28:])) * time.Microsecond
}

// SharedSize is the size of the shared memory, in bytes: a Progress, and then the changes that make
// the running variant out of its candidate; see ReadChanges.
const SharedSize = maxDeep + 64<<10

// sharedHead is the size of a Progress, in bytes.
const sharedHead = int(unsafe.Sizeof(Progress{}))

// Progress is the beginning of the shared memory. The process writes it, and the parent reads it.
type Progress struct {
	// Candidate is the number of the running candidate plus one, and Stmt the index of its
	// statement.
	Candidate, Stmt uint64
	// Evaluated is the number of candidates and variants that have been started.
	Evaluated uint64
	// Changes is the size of the changes that follow, in bytes; 0 if the candidate itself is
	// running.
	Changes uint64
}

// ProgressOf returns the progress in shared memory.
func ProgressOf(shared []byte) *Progress { return (*Progress)(unsafe.Pointer(&shared[0])) }

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	KindPanic  EventKind = "panic"  // it panicked
	KindNew    EventKind = "new"    // it executed blocks that no candidate before executed
	KindNear   EventKind = "near"   // it came nearer to a goal or trail than any candidate before
	KindSlow   EventKind = "slow"   // it took more than slowTime, or made ManyPasses
	KindGoexit EventKind = "goexit" // it ended its goroutine
	KindExit   EventKind = "exit"   // it called os.Exit or log.Fatal, or the process exited
	KindHang   EventKind = "hang"   // it ran out of passes or time
	KindFatal  EventKind = "fatal"  // the process died otherwise, say by a stack overflow
)

// Event is something that happened to a candidate or to a variant of it. A candidate may have
// several.
type Event struct {
	Index int       `json:"i"` // of the candidate in its batch
	Kind  EventKind `json:"kind"`
	Stmt  int       `json:"stmt"`           // index of the statement that was being executed
	Text  string    `json:"text,omitempty"` // the panic as Go prints it
	// Blocks were executed for the first time.
	Blocks []int `json:"blocks,omitempty"`
	// StackKey identifies the stack of a panic.
	StackKey uint64 `json:"stack_key,omitempty"`
	// Millis is the running time, in milliseconds, of what took long.
	Millis int `json:"ms,omitempty"`
	// ManyPasses is set if it made ManyPasses.
	ManyPasses bool `json:"many_passes,omitempty"`
	// Called is the number of functions that the candidate called, PreChecked the number of
	// those whose preconditions were checked, and PreHeld the number of those whose
	// preconditions held. ArgsHeld is the number of those for which the preconditions about
	// arguments held, whatever the state of the receiver.
	Called     int `json:"called,omitempty"`
	PreChecked int `json:"pre_checked,omitempty"`
	PreHeld    int `json:"pre_held,omitempty"`
	ArgsHeld   int `json:"args_held,omitempty"`
	// ImprovedGoals are the goals of which a condition was met for the first time.
	ImprovedGoals []int `json:"improved_goals,omitempty"`
	// NearerTrails are the trails to which no candidate before was as near.
	NearerTrails []Near `json:"nearer_trails,omitempty"`
	// Nil reports whether the statement passes a nil pointer, interface or function.
	Nil bool `json:"nil,omitempty"`
	// Changes turn the candidate into the variant that the event happened to; absent if it was
	// the candidate itself.
	Changes []Change `json:"changes,omitempty"`
}

// Near is the distance of a candidate to the trail of that number.
type Near struct {
	Trail    int     `json:"trail"`
	Distance float32 `json:"distance"`
}

// Report is what became of a batch.
type Report struct {
	Events []Event `json:"events"`
	Panics int     `json:"panics"`
	// Goroutines is the number of goroutines; more than one if candidates left some behind.
	Goroutines int `json:"goroutines"`
	// Distances are the distances of all candidates to the trail, a little-endian float32 each,
	// and Stacks the keys of the stacks that they panicked with, a little-endian uint64 each, 0
	// without a panic. Both are absent without a trail.
	Distances []byte `json:"distances,omitempty"`
	Stacks    []byte `json:"stacks,omitempty"`
	// Evaluated is the number of candidates and variants that were run, with a trail.
	Evaluated int `json:"evaluated,omitempty"`
	// Changed are variants that came nearer than their candidates, or as near; Distances and
	// Stacks are theirs.
	Changed []Changed `json:"changed,omitempty"`
	// Fault is why the variables of a package can no longer be reset; "" if all can.
	Fault string `json:"fault,omitempty"`
}

// Change is what a variant has in place of a statement of its candidate: another literal, or
// nothing.
type Change struct {
	Stmt    int    `json:"stmt"`
	Dropped bool   `json:"dropped,omitempty"`
	Bits    uint64 `json:"bits,omitempty"`
	Text    []byte `json:"text,omitempty"`
}

// Changed is the best variant of the candidate with an index in its batch.
type Changed struct {
	Index   int      `json:"i"`
	Changes []Change `json:"changes"`
}

// The changes in shared memory are unsigned variable-length integers: of a statement that is
// dropped the odd number 2n+1; of another literal the even number 2n, its bits, the length of its
// text, and the text.

// publish writes the changes of the variant that runs next into the shared memory.
func (w *worker) publish() {
	c := &w.candidate
	w.progress.Changes = 0 // until they are complete
	out := w.shared[sharedHead:sharedHead]
	for i := range c.lits {
		l, own := &c.lits[i], &w.climb.own[i]
		if c.stmts[l.stmt].dropped || l.bits == own.bits && l.text == own.text {
			continue
		}
		if len(out)+len(l.text)+3*binary.MaxVarintLen64+len(w.climb.dropped) > cap(out) {
			out = out[:0] // no room: if the process dies, the candidate is blamed
			break
		}
		out = binary.AppendUvarint(out, uint64(l.stmt)<<1)
		out = binary.AppendUvarint(out, l.bits)
		out = binary.AppendUvarint(out, uint64(len(l.text)))
		out = append(out, l.text...)
	}
	out = append(out, w.climb.dropped...)
	w.progress.Changes = uint64(len(out))
}

// ReadChanges returns the changes of the variant that ran when the process died. The process may
// have died while it wrote them: what is incomplete is left out, and the rest need not fit the
// candidate.
func ReadChanges(shared []byte) (out []Change) {
	p := shared[sharedHead:]
	n := binary.NativeEndian.Uint64(shared[unsafe.Offsetof(Progress{}.Changes):])
	if n > uint64(len(p)) {
		return nil
	}
	for p = p[:n]; len(p) > 0; {
		stmt := number(&p)
		if stmt&1 != 0 {
			out = append(out, Change{Stmt: int(stmt >> 1), Dropped: true})
			continue
		}
		bits, size := number(&p), number(&p)
		if size > uint64(len(p)) {
			return nil
		}
		out = append(out, Change{Stmt: int(stmt >> 1), Bits: bits,
			Text: append([]byte(nil), p[:size]...)})
		p = p[size:]
	}
	return out
}

// number decodes an unsigned variable-length integer from the front of *p. A malformed one empties
// *p.
func number(p *[]byte) uint64 {
	b := *p
	if len(b) > 0 && b[0] < 0x80 { // most are, and this is the hot path
		*p = b[1:]
		return uint64(b[0])
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		*p = nil
		return 0
	}
	*p = b[n:]
	return v
}

// wireVocabulary is a vocabulary as JSON. Its strings are byte slices because they need not be
// UTF-8.
type wireVocabulary struct {
	Texts, Learned, Words [][]byte
	Numbers               []uint64
	Deep                  bool
}

// Encode encodes a vocabulary as the process reads it.
func (v *Vocabulary) Encode() ([]byte, error) {
	bytes := func(list []string) (out [][]byte) {
		for _, t := range list {
			out = append(out, []byte(t))
		}
		return out
	}
	return json.Marshal(&wireVocabulary{bytes(v.Texts), bytes(v.Learned), bytes(v.Words), v.Numbers, v.Deep})
}

// decode decodes what Encode encoded.
func (v *Vocabulary) decode(text []byte) {
	var c wireVocabulary
	if json.Unmarshal(text, &c) != nil {
		return
	}
	strings := func(list [][]byte) (out []string) {
		for _, t := range list {
			out = append(out, string(t))
		}
		return out
	}
	*v = Vocabulary{strings(c.Texts), strings(c.Words), strings(c.Learned), c.Numbers, c.Deep}
}
