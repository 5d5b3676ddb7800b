package paramgraph

import (
	"go/token"
	"go/types"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/internal/source"
)

// addHeld adds the calls of required function literals that package-level variables hold, as targets.
func (b *Builder) addHeld() {
	required := map[token.Pos]*types.Func{}
	for fn := range b.required {
		required[fn.Pos()] = fn
	}
	for _, file := range b.Pkg.Files {
		for _, h := range source.HeldIn(file) {
			if fn := required[h.Lit.Pos()]; fn != nil {
				b.addHeldCall(fn, &h)
			}
		}
	}
}

// addHeldCall adds the call of a literal.
func (b *Builder) addHeldCall(fn *types.Func, h *source.Held) {
	held := func(f *gofile.File) string {
		expr, _ := h.Expr(b.Pkg.Info, f.Type)
		return expr
	}
	if _, ok := h.Expr(b.Pkg.Info, b.File.Type); !ok {
		b.g.skip(fn, "the variable that holds it has no constant key for it")
		return
	}
	o := candidate.CallHeld(fn, h.Var.Name, held)
	if !b.Add(o) {
		b.g.skip(fn, "a type of its signature cannot be named in the package")
		return
	}
	b.targets[o] = true
}
