package refute

import (
	"dsd/check/logic"
	"dsd/internal/reuse"
)

// node is a term. Operands have lower indices than the terms that contain them.
type node struct {
	term *logic.Term
	args []int32
	// users are the terms that contain it as an operand.
	users []int32
	bits  int // of a number or a boolean, 0 for what has no bounds
}

// state has what is known of all terms.
type state struct {
	nodes []node
	b     []bounds
	// queue holds the nodes that may narrow others or be narrowed, in order; waiting reports which these are.
	queue   []int32
	waiting []bool
	// changed reports that bounds were narrowed, conflict that nothing is within some.
	changed, conflict bool
	apart             differing
}

// begin makes s the state in which the roots of a graph are true.
func (s *state) begin(g *logic.Graph) {
	count := len(g.Terms)
	s.nodes, s.b, s.waiting = reuse.Slice(s.nodes, count), reuse.Slice(s.b, count), reuse.Slice(s.waiting, count)
	clear(s.waiting)
	s.queue = s.queue[:0]
	s.changed, s.conflict = false, false
	for i, t := range g.Terms {
		n := node{term: t, args: g.Args[i], users: g.Users[i]}
		switch t.Sort.Kind {
		case logic.KBool:
			n.bits = 1
		case logic.KBV:
			n.bits = t.Sort.Bits()
		}
		s.nodes[i] = n
		switch {
		case n.bits == 0:
			s.b[i] = bounds{}
		case t.Op == logic.OpConst:
			s.b[i] = exactly(t.Val, n.bits)
		default:
			s.b[i] = full(n.bits)
		}
		s.wake(int32(i))
	}
	for _, r := range g.Roots {
		s.set(r, 1)
	}
}

// assuming makes s another state of the same terms as t, with what is known there.
func (s *state) assuming(t *state) {
	s.nodes = t.nodes
	s.b = append(s.b[:0], t.b...)
	s.waiting = reuse.Slice(s.waiting, len(s.nodes))
	clear(s.waiting)
	s.queue = s.queue[:0]
	s.changed, s.conflict = false, false
}

// wake puts a node into the queue.
func (s *state) wake(i int32) {
	if !s.waiting[i] {
		s.waiting[i] = true
		s.queue = append(s.queue, i)
	}
}

// propagate narrows until nothing changes, or for a number of steps: bounds may move by one each time.
func (s *state) propagate() {
	const stepsPerNode = 10
	next := 0
	for steps := stepsPerNode * len(s.nodes); next < len(s.queue) && steps > 0 && !s.conflict; steps-- {
		i := s.queue[next]
		next++
		s.waiting[i] = false
		s.down(i)
		s.up(i)
	}
	s.queue = append(s.queue[:0], s.queue[next:]...)
}

// narrow narrows the bounds of a node.
func (s *state) narrow(i int32, to bounds) {
	if n := s.nodes[i].bits; n > 0 && s.b[i].meet(to, n) {
		s.changed = true
		s.conflict = s.conflict || s.b[i].empty()
		s.wake(i)
		for _, u := range s.nodes[i].users {
			s.wake(u)
		}
	}
}

// set gives a node a value.
func (s *state) set(i int32, v uint64) { s.narrow(i, exactly(v, s.nodes[i].bits)) }

// value returns the value of a node, if it is known.
func (s *state) value(i int32) (uint64, bool) {
	if s.nodes[i].bits == 0 {
		return 0, false
	}
	return s.b[i].known()
}

// is reports whether a boolean is known to be v.
func (s *state) is(i int32, v uint64) bool {
	x, ok := s.value(i)
	return ok && x == v
}

// up narrows the result of an operator by its operands.
func (s *state) up(i int32) {
	n := &s.nodes[i]
	if n.bits == 0 || len(n.args) == 0 {
		return
	}
	switch t := n.term; t.Op {
	case logic.OpNot:
		if v, ok := s.value(n.args[0]); ok {
			s.set(i, 1-v)
		}
	case logic.OpAnd:
		s.junction(i, 0)
	case logic.OpOr:
		s.junction(i, 1)
	case logic.OpIte:
		s.narrow(i, s.chosen(n))
	case logic.OpSelect:
	default:
		if s.numbers(n) {
			s.narrow(i, s.result(n))
		}
	}
}

// numbers reports whether all operands have bounds.
func (s *state) numbers(n *node) bool {
	for _, a := range n.args {
		if s.nodes[a].bits == 0 {
			return false
		}
	}
	return true
}

// junction narrows an OpAnd, which one operand decides that is 0, or an OpOr, which one decides that is 1.
func (s *state) junction(i int32, decides uint64) {
	all := true
	for _, a := range s.nodes[i].args {
		v, ok := s.value(a)
		if ok && v == decides {
			s.set(i, decides)
			return
		}
		all = all && ok
	}
	if all {
		s.set(i, 1-decides)
	}
}

// chosen returns the bounds of an OpIte.
func (s *state) chosen(n *node) bounds {
	if c, ok := s.value(n.args[0]); ok {
		return s.b[n.args[2-c]]
	}
	return hull(s.b[n.args[1]], s.b[n.args[2]])
}

// result returns bounds of an operator's result.
func (s *state) result(n *node) bounds {
	t, x := n.term, s.b[n.args[0]]
	in := s.nodes[n.args[0]].bits
	var y bounds
	if len(n.args) > 1 {
		y = s.b[n.args[1]]
	}
	k, known := y.known()
	known = known && len(n.args) > 1
	r := full(n.bits)
	switch t.Op {
	case logic.OpEq:
		return equality(x, y)
	case logic.OpULt:
		return truth(x.uhi < y.ulo, x.ulo >= y.uhi)
	case logic.OpULe:
		return truth(x.uhi <= y.ulo, x.ulo > y.uhi)
	case logic.OpSLt:
		return truth(x.shi < y.slo, x.slo >= y.shi)
	case logic.OpSLe:
		return truth(x.shi <= y.slo, x.slo > y.shi)
	case logic.OpAdd:
		for a := range 2 {
			if minus, ok := s.negated(n.args[a]); ok {
				return sub(s.b[n.args[1-a]], s.b[minus], n.bits)
			}
		}
		return add(x, y, n.bits)
	case logic.OpMul:
		return mul(x, y, n.bits)
	case logic.OpUDiv:
		if known && k > 0 {
			r, _ = div(x, k, n.bits)
		} else if y.ulo > 0 {
			r.uhi = x.uhi / y.ulo
		}
	case logic.OpURem:
		if known && k > 0 {
			_, r = div(x, k, n.bits)
		} else if r.uhi = x.uhi; y.ulo > 0 {
			r.uhi = min(x.uhi, y.uhi-1)
		}
	case logic.OpSDiv:
		if known && y.slo > 0 {
			r, _ = sdiv(x, y.slo, n.bits)
		}
	case logic.OpSRem:
		if known && y.slo > 0 {
			_, r = sdiv(x, y.slo, n.bits)
		}
	case logic.OpBAnd:
		r.uhi = min(x.uhi, y.uhi)
	case logic.OpBOr:
		r.ulo, r.uhi = max(x.ulo, y.ulo), ones(x.uhi|y.uhi)
	case logic.OpBXor:
		r.uhi = ones(x.uhi | y.uhi)
	case logic.OpShl:
		if known && k < uint64(n.bits) && x.uhi <= r.uhi>>k {
			r.ulo, r.uhi = x.ulo<<k, x.uhi<<k
		}
	case logic.OpLShr:
		if known && k < uint64(n.bits) {
			r.ulo, r.uhi = x.ulo>>k, x.uhi>>k
		}
	case logic.OpAShr:
		if known {
			r.slo, r.shi = x.slo>>min(k, 63), x.shi>>min(k, 63)
		}
	case logic.OpExtract:
		if above := int(t.Hi) + 1; above >= 64 || x.ulo>>above == x.uhi>>above {
			all := logic.Mask(n.bits)
			r.ulo, r.uhi = x.ulo>>t.Lo&all, x.uhi>>t.Lo&all
		}
	case logic.OpZExt:
		r.ulo, r.uhi = x.ulo, x.uhi
		if n.bits > in {
			r.slo, r.shi = int64(x.ulo), int64(x.uhi)
		}
	case logic.OpSExt:
		r.slo, r.shi = x.slo, x.shi
	}
	return r
}

// negated returns y where a node is -y.
func (s *state) negated(i int32) (y int32, ok bool) {
	n := &s.nodes[i]
	if n.term.Op != logic.OpMul {
		return 0, false
	}
	k, known := s.value(n.args[1])
	return n.args[0], known && k == logic.Mask(n.bits)
}

// truth returns the bounds of a boolean that is known to be true, or false, or neither.
func truth(isTrue, isFalse bool) bounds {
	switch {
	case isTrue:
		return exactly(1, 1)
	case isFalse:
		return exactly(0, 1)
	}
	return full(1)
}

// equality returns the bounds of x = y.
func equality(x, y bounds) bounds {
	p, known := x.known()
	q, both := y.known()
	apart := max(x.ulo, y.ulo) > min(x.uhi, y.uhi) || max(x.slo, y.slo) > min(x.shi, y.shi)
	return truth(known && both && p == q, apart)
}

// down narrows the operands of an operator by its result, and by each other.
func (s *state) down(i int32) {
	n := &s.nodes[i]
	if n.bits == 0 || len(n.args) == 0 {
		return
	}
	v, known := s.value(i)
	switch n.term.Op {
	case logic.OpNot:
		if known {
			s.set(n.args[0], 1-v)
		}
		return
	case logic.OpAnd:
		if known {
			s.operands(n, v, 0)
		}
		return
	case logic.OpOr:
		if known {
			s.operands(n, v, 1)
		}
		return
	case logic.OpIte:
		s.branches(n, s.b[i])
		return
	}
	if !s.numbers(n) {
		return
	}
	switch n.term.Op {
	case logic.OpEq, logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe:
		if known {
			s.compare(n, v == 1)
		}
	case logic.OpAdd, logic.OpMul, logic.OpZExt, logic.OpSExt, logic.OpExtract:
		s.invert(i)
	}
}

// operands narrows those of an OpAnd or OpOr with the value v, which one operand decides by itself.
func (s *state) operands(n *node, v, decides uint64) {
	if v != decides { // so all are
		for _, a := range n.args {
			s.set(a, v)
		}
		return
	}
	left := int32(-1)
	for _, a := range n.args {
		x, ok := s.value(a)
		if ok && x == decides || !ok && left >= 0 {
			return
		}
		if !ok {
			left = a
		}
	}
	if left < 0 {
		s.conflict = true
		return
	}
	s.set(left, decides)
}

// branches narrows the operands of an OpIte with the bounds r.
func (s *state) branches(n *node, r bounds) {
	for c := range uint64(2) { // the branches are the operands 2 and 1
		a := n.args[2-c]
		b := s.b[a]
		if b.meet(r, n.bits); b.empty() {
			s.set(n.args[0], 1-c)
		}
	}
	if c, ok := s.value(n.args[0]); ok {
		s.narrow(n.args[2-c], r)
	}
}

// compare narrows the operands of a comparison.
func (s *state) compare(n *node, holds bool) {
	i, j := n.args[0], n.args[1]
	switch op := n.term.Op; {
	case op == logic.OpEq && holds:
		s.narrow(i, s.b[j])
		s.narrow(j, s.b[i])
	case op == logic.OpEq:
		s.differ(i, j)
		s.differ(j, i)
	case op == logic.OpULt && holds:
		s.less(i, j)
	case op == logic.OpULt:
		s.atMost(j, i)
	case op == logic.OpULe && holds:
		s.atMost(i, j)
	case op == logic.OpULe:
		s.less(j, i)
	case op == logic.OpSLt && holds:
		s.signedLess(i, j)
	case op == logic.OpSLt:
		s.signedAtMost(j, i)
	case op == logic.OpSLe && holds:
		s.signedAtMost(i, j)
	case op == logic.OpSLe:
		s.signedLess(j, i)
	}
}

// differ narrows j, which differs from i.
func (s *state) differ(i, j int32) {
	v, ok := s.value(i)
	if !ok {
		return
	}
	b, n := s.b[j], s.nodes[j].bits
	if b.ulo == v && b.uhi == v {
		s.conflict = true
		return
	}
	if b.ulo == v {
		b.ulo++
	}
	if b.uhi == v {
		b.uhi--
	}
	if n > 1 {
		if b.slo == logic.Signed(v, n) {
			b.slo++
		}
		if b.shi == logic.Signed(v, n) {
			b.shi--
		}
	}
	s.narrow(j, b)
}

func (s *state) atMost(i, j int32) {
	p, q := s.b[i], s.b[j]
	p.uhi, q.ulo = min(p.uhi, q.uhi), max(q.ulo, p.ulo)
	s.narrow(i, p)
	s.narrow(j, q)
}

func (s *state) less(i, j int32) {
	p, q := s.b[i], s.b[j]
	if q.uhi == 0 || p.ulo == logic.Mask(s.nodes[i].bits) {
		s.conflict = true
		return
	}
	p.uhi, q.ulo = min(p.uhi, q.uhi-1), max(q.ulo, p.ulo+1)
	s.narrow(i, p)
	s.narrow(j, q)
}

func (s *state) signedAtMost(i, j int32) {
	p, q := s.b[i], s.b[j]
	p.shi, q.slo = min(p.shi, q.shi), max(q.slo, p.slo)
	s.narrow(i, p)
	s.narrow(j, q)
}

func (s *state) signedLess(i, j int32) {
	p, q := s.b[i], s.b[j]
	all := full(s.nodes[i].bits)
	if q.shi == all.slo || p.slo == all.shi {
		s.conflict = true
		return
	}
	p.shi, q.slo = min(p.shi, q.shi-1), max(q.slo, p.slo+1)
	s.narrow(i, p)
	s.narrow(j, q)
}

// invert narrows the operands of an operation by its result.
func (s *state) invert(result int32) {
	n, r := &s.nodes[result], s.b[result]
	i := n.args[0]
	switch t := n.term; t.Op {
	case logic.OpAdd:
		for a := range 2 {
			s.narrow(n.args[a], sub(r, s.b[n.args[1-a]], n.bits))
		}
	case logic.OpMul:
		if y, ok := s.negated(result); ok {
			s.narrow(y, sub(exactly(0, n.bits), r, n.bits))
		}
	case logic.OpZExt:
		b, all := full(s.nodes[i].bits), logic.Mask(s.nodes[i].bits)
		if r.ulo > all {
			s.conflict = true
			return
		}
		b.ulo, b.uhi = r.ulo, min(r.uhi, all)
		s.narrow(i, b)
	case logic.OpSExt:
		b := full(s.nodes[i].bits)
		b.slo, b.shi = max(b.slo, r.slo), min(b.shi, r.shi)
		s.narrow(i, b)
	case logic.OpExtract:
		b, x := full(s.nodes[i].bits), s.b[i]
		above := int(t.Hi) + 1
		if above < 64 && x.ulo>>above != x.uhi>>above {
			return
		}
		upper := uint64(0)
		if above < 64 {
			upper = x.ulo >> above << above
		}
		b.ulo, b.uhi = upper|r.ulo<<t.Lo, upper|r.uhi<<t.Lo|(uint64(1)<<t.Lo-1)
		s.narrow(i, b)
	}
}
