"""What invariants of a program point say, and what follows from them."""
import collections
import fractions
import re

from forms import INF, NUMBER, combine, linear, minus, norm


class Facts:
    """What the invariants of a point say."""

    def __init__(self):
        self.parent, self.edges, self.sets, self.equations = {}, {}, {}, []
        self.null, self.nonnull, self.single, self.other, self.neq = set(), set(), set(), set(), []
        self.implications, self.closed = [], False

    def find(self, x):
        while self.parent.get(x, x) != x:
            x = self.parent[x]
        return x

    def equal(self, a, b):
        self.parent[self.find(a)] = self.find(b)
        self.le(a, b, 0)
        self.le(b, a, 0)

    def le(self, u, v, c):
        """u - v <= c"""
        if c < self.edges.get((u, v), INF):
            self.edges[u, v] = c

    def const(self, x, text):
        if NUMBER.match(text):
            c = fractions.Fraction(text)
            self.le(x, "", c)
            self.le("", x, -c)
        self.among(x, {text})

    def among(self, x, values):
        """x is one of values, which is true of what was said before, too."""
        self.sets[x] = self.sets[x] & set(values) if x in self.sets else set(values)

    def add(self, template, names, params, expr):
        v = [norm(x) for x in names]
        if template == "element-order":
            for end in {"<": ["Max:"], "<=": ["Max:"], ">": ["Min:"], ">=": ["Min:"], "==": ["Max:", "Min:"]}[params[0]]:
                a, b = (end + v[0], v[1]) if end == "Max:" else (v[1], end + v[0])
                self.le(a, b, -1 if params[0] in "<>" else 0)
                if params[0] == "==":
                    self.le(b, a, 0)
            return
        if template == "constant":
            self.const(v[0], params[0])
        elif template in ("one-of", "element-one-of"):
            x = v[0]
            self.among(("each:" if template[0] == "e" else "") + x, params)
            if all(NUMBER.match(p) for p in params):
                lo, hi = min(map(fractions.Fraction, params)), max(map(fractions.Fraction, params))
                self.le(("Max:" if template[0] == "e" else "") + x, "", hi)
                self.le("", ("Min:" if template[0] == "e" else "") + x, -lo)
        elif template == "lower-bound":
            self.le("", v[0], -fractions.Fraction(params[0]))
        elif template == "upper-bound":
            self.le(v[0], "", fractions.Fraction(params[0]))
        elif template == "element-bound" and ">=" in expr:
            self.le("", "Min:" + v[0], -fractions.Fraction(params[0]))
        elif template == "element-bound" and "<=" in expr:
            self.le("Max:" + v[0], "", fractions.Fraction(params[0]))
        elif template == "element-bound":
            self.other.add("each:%s != 0" % v[0])
        elif template in ("non-zero",):
            self.neq.append((v[0], "", 0))
        elif template in ("equal", "unchanged", "same-elements"):
            self.equal(v[0], v[1])
        elif template == "less":
            self.le(v[0], v[1], -1)
        elif template == "less-equal":
            self.le(v[0], v[1], 0)
        elif template == "not-equal":
            self.neq.append((v[0], v[1], 0))
        elif template in ("linear", "linear-3"):
            left, right = expr.split(" == ", 1)
            m = re.match(r"implies\(.*, (.*)$", left)
            if m:
                left, right = m.group(1), right[:-1]
            a, b = linear(left), linear(right.replace("*", " * ").replace("  ", " "))
            if a is not None and b is not None:
                self.equations.append(minus(a, b))
        elif template in ("non-nil", "element-non-nil"):
            self.nonnull.add(("each:" if template[0] == "e" else "") + v[0])
        elif template in ("always-nil", "element-always-nil"):
            self.null.add(("each:" if template[0] == "e" else "") + v[0])
        elif template == "same-object":
            self.single.add(("each:" if expr.startswith("forall") else "") + v[0])
        elif template == "string-order" and params[0] == "!=":
            self.neq.append((v[0], v[1], 0))
        elif template == "string-order":
            a, b = v if params[0][0] == "<" else reversed(v)
            self.le(a, b, 0 if "=" in params[0] else -1)
        elif template == "constant-sequence":
            self.among(v[0], {"[" + ", ".join(p.strip('"') for p in params) + "]"})  # Daikon has no quotes there
            self.among("each:" + v[0], params)
        else:
            self.other.add(" ".join([template] + v + list(params)))

    def close(self):
        """Shortest paths, after equations with two variables have become edges."""
        for eq in self.equations:
            terms = [k for k in eq if k]
            if len(terms) == 2 and eq[terms[0]] == -eq[terms[1]]:
                c = -eq.get("", 0) / eq[terms[0]]
                self.le(terms[0], terms[1], c)
                self.le(terms[1], terms[0], -c)
        for x in {n for e in self.edges for n in e}:
            for pre in ("Max:", "Min:"):
                if x.startswith(pre):
                    self.le("Min:" + x[4:], "Max:" + x[4:], 0)
        out = collections.defaultdict(list)
        for (u, v), c in self.edges.items():
            out[u].append((v, c))
        self.out, self.paths, self.closed = out, {}, True

    def path(self, u, v):
        """The least c for which u - v <= c is known."""
        if not self.closed:
            self.close()
        if u == v:
            return 0
        if u not in self.paths:
            dist = {u: fractions.Fraction(0)}
            for _ in range(12):  # longer chains are nothing that anybody follows
                changed = False
                for x in list(dist):
                    for y, c in self.out[x]:
                        if dist[x] + c < dist.get(y, INF):
                            dist[y] = dist[x] + c
                            changed = True
                if not changed:
                    break
            self.paths[u] = dist
        return self.paths[u].get(v, INF)

    def same(self, a, b):
        return self.find(a) == self.find(b)

    def member(self, x, names):
        return any(self.same(x, n) for n in names)

    def values(self, x):
        """Those that x is one of; None if that is not known."""
        known = [s for n, s in self.sets.items() if self.same(n, x)]
        m = re.fullmatch(r"(old\()?([^\[]*)\[([^\]]+)\](\))?", x)
        if m and not x.startswith("each:") and bool(m.group(1)) == bool(m.group(4)):  # of an element, what all elements are
            each = "each:%s%s[]%s" % (m.group(1) or "", m.group(2), m.group(4) or "")
            known += [s for n, s in self.sets.items() if n == each]
        return set.intersection(*known) if known else None

    def plainly(self, form):
        """A sum of terms, with the constant for what is constant, and one name for what is equal."""
        out = collections.defaultdict(fractions.Fraction)
        for k, w in form.items():
            value = self.path(k, "") if k else 0
            if not k:
                out[""] += w
            elif value != INF and value == -self.path("", k):
                out[""] += w * value
            else:
                out[self.find(k)] += w
        return {k: w for k, w in out.items() if w}

    def solve(self, eq):
        """Whether a linear equation follows from the others."""
        if not self.closed:
            self.close()
        rows = [dict(e) for e in self.equations]
        for (u, v), c in self.edges.items():
            if self.edges.get((v, u)) == -c:
                rows.append({k: w for k, w in {u: fractions.Fraction(1), v: fractions.Fraction(-1) if v else 0, "": -c if v else -c}.items() if w and not (k == "" and False)})
                if u == "" or v == "":
                    x = u or v
                    rows[-1] = {x: fractions.Fraction(1)}
                    value = c if v == "" else -c
                    if value:
                        rows[-1][""] = -value
        eq = dict(eq)
        pivots = []
        for row in rows:
            for p, pr in pivots:
                if row.get(p):
                    row = combine(row, pr, -row[p] / pr[p])
            lead = next((k for k in row if k), None)
            if lead is not None:
                pivots.append((lead, row))
        for p, pr in pivots:
            if eq.get(p):
                eq = combine(eq, pr, -eq[p] / pr[p])
        return not eq
