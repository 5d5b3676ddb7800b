package logic

// terms is a hash table of the terms that a Builder has made, by what they are made of. Most of what a
// Builder does is looking up terms that exist already, so it has tables of its own in place of
// maps, whose keys would be large and full of pointers.
type terms struct {
	// slots has a power of two as its length. A term is in the first slot from its hash on that was
	// free.
	slots []termSlot
	n     int
	vars  map[*Var]uint64 // numbers of the variables, for their hashes
	// Terms and lists of arguments are allocated several at a time.
	free     []Term
	freeArgs []*Term
}

type termSlot struct {
	hash uint64
	t    *Term
}

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

// find returns the slot of a term, empty if there is no such term.
func (s *terms) find(x *Term, args []*Term, hash uint64) *termSlot {
	for i := hash; ; i++ {
		p := &s.slots[i&uint64(len(s.slots)-1)]
		if p.t == nil || p.hash == hash && same(x, args, p.t) {
			return p
		}
	}
}

// add puts a term with those arguments into an empty slot, and returns it.
func (s *terms) add(p *termSlot, x Term, args []*Term, hash uint64) *Term {
	if len(s.free) == 0 {
		s.free = make([]Term, 64)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	if len(args) > len(s.freeArgs) {
		s.freeArgs = make([]*Term, max(128, len(args)))
	}
	if n := len(args); n > 0 {
		x.Args = s.freeArgs[:n:n]
		copy(x.Args, args)
		s.freeArgs = s.freeArgs[n:]
	}
	*t = x
	*p = termSlot{hash, t}
	if s.n++; 4*s.n > 3*len(s.slots) {
		s.grow()
	}
	return t
}

func (s *terms) grow() {
	old := s.slots
	s.slots = make([]termSlot, 2*len(old))
	for _, o := range old {
		if o.t == nil {
			continue
		}
		i := o.hash
		for s.slots[i&uint64(len(s.slots)-1)].t != nil {
			i++
		}
		s.slots[i&uint64(len(s.slots)-1)] = o
	}
}

// intern returns the term that is like x and has the arguments args.
func (b *Builder) intern(x Term, args ...*Term) *Term {
	hash := b.terms.hash(&x, args)
	p := b.terms.find(&x, args, hash)
	if p.t != nil {
		return p.t
	}
	b.count()
	x.ID = b.n
	return b.terms.add(p, x, args, hash)
}

// reads is a hash table of results of Select, by the IDs of memory, object and slot.
type reads struct {
	slots []read // a power of two
	n     int
}

type read struct {
	memory, object, slot int32
	result               *Term // nil in an empty slot
}

func newReads() reads { return reads{slots: make([]read, 256)} }

// find returns the entry of a read, empty if there is none.
func (s *reads) find(m, obj, slot *Term) *read {
	return s.entry(int32(m.ID), int32(obj.ID), int32(slot.ID))
}

func (s *reads) entry(memory, object, slot int32) *read {
	h := mix(mix(uint64(memory), uint64(object)), uint64(slot))
	for i := h; ; i++ {
		p := &s.slots[i&uint64(len(s.slots)-1)]
		if p.result == nil || p.memory == memory && p.object == object && p.slot == slot {
			return p
		}
	}
}

// add records the result of a read that has no entry yet.
func (s *reads) add(m, obj, slot, result *Term) {
	if s.n++; 4*s.n > 3*len(s.slots) {
		old := s.slots
		s.slots = make([]read, 2*len(old))
		for _, r := range old {
			if r.result != nil {
				*s.entry(r.memory, r.object, r.slot) = r
			}
		}
	}
	*s.find(m, obj, slot) = read{int32(m.ID), int32(obj.ID), int32(slot.ID), result}
}
