package schemas

// This file visits the nodes of an object graph. All code that looks at every node of a document
// goes through these methods, so that no caller forgets a part of a node or a root of the graph.

// Walk calls visit for n and then for the nodes inside n: its fields, its elements (the key of a
// map's entry before the value) and its dynamic value, each before the nodes inside it.
//
// References are not followed: the node that Ref names is an element of Objects, not a part of n.
// visit may change its node; Walk then descends into the changed node.
func (n *Node) Walk(visit func(n *Node)) { n.walk(visiting(visit)) }

// Walk calls visit for every node of c: the receiver, the parameters, the package-level variables,
// the results of calls and the objects, each as Node.Walk does. An object is visited once, however
// many nodes refer to it, so a cyclic graph does no harm.
func (c *Counterexample) Walk(visit func(n *Node)) { c.walk(visiting(visit)) }

// Walk calls visit for every node of c: the value of the panic; the receiver, the parameters and
// the package-level variables of each frame; and the objects, each as Node.Walk does.
func (c *RecordedCrash) Walk(visit func(n *Node)) { c.walk(visiting(visit)) }

// A visitor looks at a node and returns what is wrong with it, or nil. The walk stops at the first
// violation and prefixes its path with the steps that led to the node.
type visitor func(n *Node) *violation

func visiting(visit func(n *Node)) visitor {
	return func(n *Node) *violation {
		visit(n)
		return nil
	}
}

func (n *Node) walk(visit visitor) *violation {
	if bad := visit(n); bad != nil {
		return bad
	}
	if bad := walkInputs(n.Fields, visit); bad != nil {
		return bad.in(".fields")
	}
	for i := range n.Elems {
		e := &n.Elems[i]
		if e.Key != nil {
			if bad := e.Key.walk(visit); bad != nil {
				return bad.in(".elems" + index(i) + ".key")
			}
		}
		if bad := e.Value.walk(visit); bad != nil {
			return bad.in(".elems" + index(i) + ".value")
		}
	}
	if n.Dynamic != nil {
		return n.Dynamic.walk(visit).in(".dynamic")
	}
	return nil
}

func (c *Counterexample) walk(visit visitor) *violation {
	if c.Receiver != nil {
		if bad := c.Receiver.walk(visit); bad != nil {
			return bad.in(".receiver")
		}
	}
	if bad := walkInputs(c.Params, visit); bad != nil {
		return bad.in(".params")
	}
	if bad := walkInputs(c.Globals, visit); bad != nil {
		return bad.in(".globals")
	}
	if bad := walkInputs(c.Returns, visit); bad != nil {
		return bad.in(".returns")
	}
	return walkNodes(c.Objects, visit).in(".objects")
}

func (c *RecordedCrash) walk(visit visitor) *violation {
	if c.Value != nil {
		if bad := c.Value.walk(visit); bad != nil {
			return bad.in(".value")
		}
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		call := &Counterexample{Receiver: f.Receiver, Params: f.Params, Globals: f.Globals}
		if bad := call.walk(visit); bad != nil {
			return bad.in(".frames" + index(i))
		}
	}
	return walkNodes(c.Objects, visit).in(".objects")
}

func walkInputs(inputs []Input, visit visitor) *violation {
	for i := range inputs {
		if bad := inputs[i].walk(visit); bad != nil {
			return bad.in(index(i))
		}
	}
	return nil
}

func walkNodes(nodes []Node, visit visitor) *violation {
	for i := range nodes {
		if bad := nodes[i].walk(visit); bad != nil {
			return bad.in(index(i))
		}
	}
	return nil
}
