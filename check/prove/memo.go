package prove

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/query"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// Memo keeps the results of analyses from one run to the next. An entry has what an analysis found,
// the questions that it asked about the testee, and a digest of the answers; it holds as long as the same
// questions have the same answers, since an analysis is a function of these: a verifying trace [Mokhov,
// Mitchell, Peyton Jones: Build systems à la carte, 4.2.2]. Where it does not, the function is analyzed again, with
// the solver's answers of before to the same questions (query.Answers). It may be used concurrently.
type Memo struct {
	store Store
	base  string
	// digests is guarded by Testee.Lock.
	digests *lower.Digests
	t       *Testee
}

// Store keeps data by the digest of what it belongs to. It may be used concurrently.
type Store interface {
	// Get returns data that was put, or nil.
	Get(id [sha256.Size]byte) []byte
	// Put keeps data, or not.
	Put(id [sha256.Size]byte, data []byte)
}

// NewMemo returns a Memo for the analyses of t, which are not to begin before. base stands for all that
// results depend on besides the testee: the program's version, and options.
func NewMemo(store Store, base string, t *Testee) *Memo {
	return &Memo{store: store, base: base, digests: lower.NewDigests(t.World), t: t}
}

// question is one about the testee: what a function is, for instance.
type question struct {
	Kind, Key string
}

// Kinds of questions.
const (
	askFunc     = "function" // Key is that of the function; what is assumed of it and of methods that it calls belongs to the answer
	askEffects  = "effects"
	askInitials = "initials"
	askMethod   = "method" // Key is the tag, the name and the signature
	askValue    = "value"  // Key is the number of a function value
	askProved   = "proved" // Key is the function of which assertions may be proved
)

// maxVersions is the number of entries that the store keeps of a function: its callees may differ between branches
// that are checked in turn.
const maxVersions = 3

// entry is what the store keeps of a function, for one version of what it depends on.
type entry struct {
	Asked    []question
	Answers  string
	Warnings []schemas.Warning // with anchored positions, see source.Program.Anchored
	Bounded  []string
	Assumed  bool // Result.Preconditions
	Stats    schemas.CheckStats
	// Statuses are those of the function's assertions, nil if nothing is proved.
	Statuses []Status
}

// recorder is a World that records what it is asked.
type recorder struct {
	vcgen.World
	asked map[question]bool
}

func newRecorder(w vcgen.World) *recorder { return &recorder{w, map[question]bool{}} }

func (r *recorder) ask(kind, key string) { r.asked[question{kind, key}] = true }

// Func is that of World, like the methods below.
func (r *recorder) Func(key string) *ir.Func {
	r.ask(askFunc, key)
	return r.World.Func(key)
}

func (r *recorder) FuncValue(id uint32) string {
	r.ask(askValue, fmt.Sprint(id))
	return r.World.FuncValue(id)
}

func (r *recorder) Method(tag uint32, name, sig string) string {
	r.ask(askMethod, fmt.Sprint(tag, " ", name, " ", sig))
	return r.World.Method(tag, name, sig)
}

func (r *recorder) Effects(key string) []*logic.Var {
	r.ask(askEffects, key)
	return r.World.Effects(key)
}

func (r *recorder) Initials(key string) ([]string, []*logic.Term) {
	r.ask(askInitials, key)
	return r.World.Initials(key)
}

// id returns the digest under which the entry of a function is kept.
func (m *Memo) id(r *lower.Root) [sha256.Size]byte {
	root, fn := m.digests.Root(r), m.digests.Func(r.Key)
	return sha256.Sum256([]byte(m.base + "\x00" + string(root[:]) + string(fn[:])))
}

// answers returns the digest of the present answers to questions of the function r.
func (m *Memo) answers(asked []question, known *Knowledge) string {
	h := sha256.New()
	for _, q := range asked {
		var answer []byte
		sum := func(d lower.Digest) { answer = append(answer, d[:]...) }
		switch q.Kind {
		case askFunc:
			sum(m.digests.Func(q.Key))
			sum(m.digests.Contract(m.t.Contracts[q.Key]))
			for _, name := range m.interfaces(q.Key) {
				if k := m.t.Contracts[name]; k != nil {
					answer = append(answer, name...)
					sum(m.digests.Contract(k))
				}
			}
		case askEffects:
			sum(m.digests.Effects(q.Key))
		case askInitials:
			sum(m.digests.Initials(q.Key))
		case askMethod:
			var tag uint32
			var name string
			n, _ := fmt.Sscan(q.Key, &tag, &name)
			if n == 2 {
				_, sig, _ := strings.Cut(q.Key, " "+name+" ")
				answer = []byte(m.t.World.Method(tag, name, sig))
			}
		case askValue:
			var id uint32
			fmt.Sscan(q.Key, &id)
			answer = []byte(m.t.World.FuncValue(id))
		case askProved:
			answer = known.answer(q.Key)
		}
		h.Write(binary.AppendUvarint(nil, uint64(len(answer))))
		h.Write(answer)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// interfaces returns the names of the interfaces' methods that a function calls.
func (m *Memo) interfaces(key string) []string {
	f := m.t.World.Func(key)
	if f == nil || len(m.t.Contracts) == 0 {
		return nil
	}
	var out []string
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			if call, ok := c.(*ir.Call); ok && call.Iface != "" {
				out = append(out, call.Iface)
			}
		}
	}
	return out
}

// versions returns the entries of a function, the latest first.
func (m *Memo) versions(id [sha256.Size]byte) []entry {
	var list []entry
	if json.Unmarshal(m.store.Get(id), &list) != nil {
		return nil
	}
	return list
}

// put keeps an entry with those answers, as JSON.
func (m *Memo) put(id [sha256.Size]byte, answers string, latest json.RawMessage) {
	list := []any{latest}
	for _, e := range m.versions(id) {
		if e.Answers != answers && len(list) < maxVersions {
			list = append(list, e)
		}
	}
	if data, err := json.Marshal(list); err == nil {
		m.store.Put(id, data)
	}
}

// questions returns the digest under which the answers to the questions about a function are kept, whatever its body.
func (m *Memo) questions(r *lower.Root) [sha256.Size]byte {
	return sha256.Sum256([]byte(m.base + "\x00questions\x00" + r.Key))
}

// Answers returns those that earlier runs kept of the questions about r.
func (m *Memo) Answers(r *lower.Root) *query.Answers {
	return query.ReadAnswers(m.store.Get(m.questions(r)))
}

// PutAnswers keeps the answers to the questions about r.
func (m *Memo) PutAnswers(r *lower.Root, a *query.Answers) {
	if a.Empty() {
		return
	}
	if data, err := a.Bytes(); err == nil {
		m.store.Put(m.questions(r), data)
	}
}

// load returns what an earlier run found out about r and still holds; nil if there is nothing.
func (m *Memo) load(r *lower.Root, known *Knowledge) (*Result, []Status) {
	m.t.Lock.Lock()
	id := m.id(r)
	m.t.Lock.Unlock()
	list := m.versions(id)
	m.t.Lock.Lock()
	defer m.t.Lock.Unlock()
	at := slices.IndexFunc(list, func(e entry) bool { return m.answers(e.Asked, known) == e.Answers })
	if at < 0 {
		return nil, nil
	}
	e := list[at]
	for i := range e.Warnings {
		if !e.Warnings[i].MapPositions(m.t.Prog.ResolveAnchored) {
			return nil, nil
		}
	}
	return &Result{Warnings: e.Warnings, Bounded: e.Bounded, Preconditions: e.Assumed, Stats: e.Stats}, e.Statuses
}

// entry returns what to keep of an analysis, in whose result positions are anchored, and under which digest.
// The caller holds Testee.Lock.
func (m *Memo) entry(
	r *lower.Root, known *Knowledge, w *recorder, res *Result, statuses []Status,
) (id [sha256.Size]byte, e *entry) {
	for key := range known.asked {
		w.ask(askProved, key)
	}
	e = &entry{Warnings: res.Warnings, Bounded: res.Bounded, Assumed: res.Preconditions, Stats: res.Stats,
		Statuses: statuses}
	for q := range w.asked {
		e.Asked = append(e.Asked, q)
	}
	slices.SortFunc(e.Asked, func(a, b question) int {
		return strings.Compare(a.Kind+"\x00"+a.Key, b.Kind+"\x00"+b.Key)
	})
	e.Answers = m.answers(e.Asked, known)
	return m.id(r), e
}
