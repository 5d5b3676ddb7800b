package logic

// terms is a hash table of the terms that a Builder has made, by what they are made of. Most of what a
// Builder does is looking up terms that exist already, so it has tables of its own in place of
// maps, whose keys would be large and full of pointers. The tables refer to terms by their IDs: that takes half
// the memory, and the garbage collector does not look at it.
type terms struct {
	// slots has a power of two as its length. A term is in the first slot from its hash on that was
	// free.
	slots []termSlot
	n     int
	vars  map[*Var]uint64 // numbers of the variables, for their hashes
	// blocks hold the terms in the order of their IDs, which count from 1.
	blocks   []*[blockSize]Term
	freeArgs []*Term // lists of arguments are allocated several at a time
}

// blockSize is the number of terms that are allocated at a time.
const blockSize = 64

// termSlot holds the ID of a term, 0 if it is empty, and half of its hash.
type termSlot struct{ hash, id uint32 }

// byID returns the term of an ID.
func (s *terms) byID(id uint32) *Term { return &s.blocks[(id-1)/blockSize][(id-1)%blockSize] }

func newTerms() terms { return terms{slots: make([]termSlot, 256), vars: map[*Var]uint64{}} }

// mix adds a number to a hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// hash returns the hash of a term.
func (s *terms) hash(t *Term, args []*Term) uint64 {
	h := mix(uint64(t.Op)<<32|uint64(t.Sort.Kind)<<16|uint64(t.Sort.Elem)<<24|uint64(t.Sort.Bits()), t.Val)
	h = mix(h, uint64(t.Hi)<<8|uint64(t.Lo))
	if t.Var != nil {
		n, ok := s.vars[t.Var]
		if !ok {
			n = uint64(len(s.vars)) + 1
			s.vars[t.Var] = n
		}
		h = mix(h, n)
	}
	for _, a := range args {
		h = mix(h, uint64(a.ID))
	}
	return h
}

// same reports whether two terms are made of the same; x has the arguments args.
func same(x *Term, args []*Term, y *Term) bool {
	if x.Op != y.Op || x.Sort != y.Sort || x.Val != y.Val || x.Var != y.Var || x.Hi != y.Hi ||
		x.Lo != y.Lo || len(args) != len(y.Args) {
		return false
	}
	for i, a := range args {
		if a != y.Args[i] {
			return false
		}
	}
	return true
}

// find returns the term that is like x and has the arguments args; nil and its slot if there is no such term.
func (s *terms) find(x *Term, args []*Term, hash uint64) (*Term, *termSlot) {
	for i := hash; ; i++ {
		p := &s.slots[i&uint64(len(s.slots)-1)]
		if p.id == 0 {
			return nil, p
		}
		if p.hash == uint32(hash) {
			if t := s.byID(p.id); same(x, args, t) {
				return t, p
			}
		}
	}
}

// add puts a term with those arguments into an empty slot, and returns it.
func (s *terms) add(p *termSlot, x Term, args []*Term, hash uint64) *Term {
	if s.n%blockSize == 0 {
		s.blocks = append(s.blocks, new([blockSize]Term))
	}
	s.n++
	x.ID = s.n
	if len(args) > len(s.freeArgs) {
		s.freeArgs = make([]*Term, max(128, len(args)))
	}
	if n := len(args); n > 0 {
		x.Args = s.freeArgs[:n:n]
		copy(x.Args, args)
		s.freeArgs = s.freeArgs[n:]
	}
	t := s.byID(uint32(s.n))
	*t = x
	*p = termSlot{uint32(hash), uint32(s.n)}
	if 4*s.n > 3*len(s.slots) {
		s.grow()
	}
	return t
}

func (s *terms) grow() {
	old := s.slots
	s.slots = table[termSlot](2 * len(old))
	for _, o := range old {
		if o.id == 0 {
			continue
		}
		i := o.hash
		for s.slots[i&uint32(len(s.slots)-1)].id != 0 {
			i++
		}
		s.slots[i&uint32(len(s.slots)-1)] = o
	}
}

// table returns a hash table of n empty slots. They are written once: where a page of new memory is first read and then
// written, the kernel interrupts all processors that the program runs on.
func table[E any](n int) []E {
	slots := make([]E, n)
	clear(slots)
	return slots
}

// intern returns the term that is like x and has the arguments args.
func (b *Builder) intern(x Term, args ...*Term) *Term {
	hash := b.terms.hash(&x, args)
	t, p := b.terms.find(&x, args, hash)
	if t != nil {
		return t
	}
	b.count()
	return b.terms.add(p, x, args, hash)
}

// reads is a hash table of results of Select, by the IDs of memory, object and slot.
type reads struct {
	slots []read // a power of two
	n     int
}

// read is a Select by IDs. That of the result is 0 in an empty slot.
type read struct{ memory, object, slot, result uint32 }

func newReads() reads { return reads{slots: make([]read, 256)} }

// find returns the entry of a read, empty if there is none.
func (s *reads) find(memory, object, slot uint32) *read {
	h := mix(mix(uint64(memory), uint64(object)), uint64(slot))
	for i := h; ; i++ {
		p := &s.slots[i&uint64(len(s.slots)-1)]
		if p.result == 0 || p.memory == memory && p.object == object && p.slot == slot {
			return p
		}
	}
}

// add records the result of a read that has no entry yet.
func (s *reads) add(r read) {
	if s.n++; 4*s.n > 3*len(s.slots) {
		old := s.slots
		s.slots = table[read](2 * len(old))
		for _, r := range old {
			if r.result != 0 {
				*s.find(r.memory, r.object, r.slot) = r
			}
		}
	}
	*s.find(r.memory, r.object, r.slot) = r
}
