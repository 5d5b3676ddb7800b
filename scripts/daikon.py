#!/usr/bin/env python3
"""Which of the invariants that Daikon prints do ours say, too?

    scripts/daikon.py [-v] [-t] NAME:PRINTED:DOCUMENT...

PRINTED is what daikon.PrintInvariants prints of a trace, DOCUMENT what infer invariants learned from the same files. An invariant of Daikon's counts
if ours have it or it follows from ours at the same program point: by equality, by differences of numbers (shortest paths over x - y <= c), by linear
equations, by what the ways out of a function have in common. It prints a line an input, and below what is missing, by kind; -v prints each.
With -t every line is turned around first: x < y is x >= y then, and one of { 1, 2 } is one of { 2 }. Ours follow from true samples, so they should say
none of those; -t is for finding out whether this script counts too much.
"""
import collections
import fractions
import json
import re
import sys

INF = float("inf")


def norm(name):
    """Daikon's and our names of a variable as one."""
    name = name.strip().replace("orig(", "old(").replace("[..]", "[]")
    name = re.sub(r"\bsize\(", "len(", name)
    name = re.sub(r"\[\]\[0\]", "[0]", name)
    name = re.sub(r"\[\]\[len\(.*\)-1\]", "[-1]", name)
    name = re.sub(r"\[len\([^()]*\)-1\](\)?)$", r"[-1]\1", name)
    m = re.fullmatch(r"old\((.*)\[\]\)\[len\(.*\)-1\]", name)
    if m:
        name = "old(%s[-1])" % m.group(1)
    name = re.sub(r"\[\]\[", "[", name)
    name = re.sub(r"^(old\()?([^\[]*)\[\]((?:\.|->).*)\[((?!0\])[^\[\]]+)\](\))?$", r"\1\2[\4]\3\5", name)  # of a field of all elements, that of one
    m = re.fullmatch(r"(old\()?len\((.*[^\])])\)(\))?", name)  # of a slice of ours or of its elements
    return "%slen(%s[])%s" % (m.group(1) or "", m.group(2), m.group(3) or "") if m and bool(m.group(1)) == bool(m.group(3)) else name


NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?$")


def linear(text):
    """A sum of terms: a dict of coefficients, '' for the constant; None if it is none."""
    out = collections.defaultdict(fractions.Fraction)
    tokens = re.split(r" ([+-]) ", text.strip())
    sign = 1
    for i, tok in enumerate(tokens):
        if i % 2:
            sign = 1 if tok == "+" else -1
            continue
        tok, coef = tok.strip(), fractions.Fraction(sign)
        m = re.fullmatch(r"(-?[\d.]+(?:E-?\d+)?) ?\* ?(.*)", tok)
        if m:
            coef, tok = coef * fractions.Fraction(m.group(1)), m.group(2)
        m = re.fullmatch(r"(.*[^-+eE ])([-+]\d+)", tok)
        if m and not NUMBER.match(tok):
            tok, out[""] = m.group(1), out[""] + coef * int(m.group(2))
        if NUMBER.match(tok):
            out[""] += coef * fractions.Fraction(tok)
        elif re.search(r"[\[\]{}\"]", re.sub(r"\[[^\s\[\]]*\]", "", tok)) or " " in tok.replace("post(", ""):
            return None
        else:
            out[norm(tok)] += coef
    return {k: v for k, v in out.items() if v}


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


def combine(a, b, f):
    out = dict(a)
    for k, v in b.items():
        out[k] = out.get(k, 0) + f * v
        if not out[k]:
            del out[k]
    return out


def minus(a, b):
    return combine(a, b, -1)


def literals(text):
    """{ 1, 2 } as a set."""
    return set(re.findall(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,\s]+', text))


def plain(value):
    return str(fractions.Fraction(value)) if NUMBER.match(value) else value


def ends(sequence, bound=None):
    """The names that facts have for the first element of a[] or orig(a[]), and for what bounds all; without a bound, for the last."""
    name = norm(sequence)
    was = name.startswith("old(")
    inner = name[4:-1] if was else name
    out = [inner[:-2] + "[%s]" % i if inner.endswith("[]") else inner + "[%s]" % i for i in (["0"] if bound else ["0", "-1"])]
    return [norm("old(%s)" % x if was else x) for x in out] + ([bound + name] if bound else [])


def length(sequence):
    """The name that facts have for the length of a[] or orig(a[])."""
    name = norm(sequence)
    return norm("old(len(%s))" % name[4:-1] if name.startswith("old(") else "len(%s)" % name)


def unchanged(f, line):
    """The line, with orig(a[post(i)]) as a[i] where all elements are what they were, as orig(a[i]) where i is what it was or is 0."""
    def same(m):
        a, i = m.group(1) + "[]" + m.group(4), norm(m.group(2))
        element = "%s[%s%s]%s" % (m.group(1), m.group(2), m.group(3) or "", m.group(4))
        if holds(f, "%s == orig(%s)" % (a, a)):
            return element
        if f.values(i) == {"1" if m.group(3) else "0"}:
            return "orig(%s[0]%s)" % (m.group(1), m.group(4))
        return "orig(%s)" % element if f.same(i, old(i)) else m.group(0)
    return re.sub(r"orig\(([^\s\[]*)\[post\(([^()]*)\)(-1)?\]((?:\.|->)[^()\s]*|)\)", same, line)


def single(f, line):
    """The line, of the elements of sequences that have just one; None if one of them may have more."""
    out = []
    for word in re.sub(r" \((elementwise|lexically)\)$| elements(?= )", "", line).split(" "):
        if "[]" in word and not re.search(r"(size|len)\(", word):
            if not f.path(length(word), "") == -f.path("", length(word)) == 1:
                return None
            word = word.replace("[]", "[-1]")
        out.append(word)
    line = " ".join(out)
    m = re.fullmatch(r"(.* one of \{ )(.*)( \})", line)
    return m.group(1) + re.sub(r"\[([^\[\],]*)\]", r"\1", m.group(2)) + m.group(3) if m else line


def holds(f, line):
    """Whether facts say a line of Daikon's."""
    line = unchanged(f, line.strip())
    m = re.fullmatch(r"(.*\[\]\S*) == (.*\[\]\S*)", line)
    if m and all(x == "[]" or f.path(length(x), "") == 0 for x in m.groups()):  # they are empty
        return True
    if "[]" in line and not re.search(r"sorted by|has only one value| in ", line):
        one = single(f, line)
        if one and one != line and holds(f, one):
            return True
    if re.fullmatch(r"(orig\()?(len|cap|size)\([^ ]*\) >= 0", line):
        return True  # of every length
    m = re.fullmatch(r"(.*) one of \{ (.*) \}", line)
    if m:
        x, want = m.group(1).strip(), {plain(v) for v in literals(m.group(2))}
        each = re.fullmatch(r"(.*) elements", x)
        if each:
            x = "each:" + norm(each.group(1))
        else:
            form = linear(x)
            x = norm(x)
            if form and len([k for k in form if k]) == 1 and form.get(""):  # size(x)-1
                base = next(k for k in form if k)
                have = f.values(base)
                return have is not None and {str(fractions.Fraction(v) + form[""]) for v in have} <= want
        have = f.values(x)
        if have is None and f.member(x, f.null):
            have = {"null"}
        if have is None and all(NUMBER.match(w) for w in want):
            lo, hi = -f.path("", x), f.path(x, "")
            if lo != -INF and hi != INF and hi - lo < 5:
                have = {str(int(lo) + i) for i in range(int(hi - lo) + 1)}
        return have is not None and {plain(v) for v in have} <= want
    m = re.fullmatch(r"(.*) (<=|>=|<|>) (.*) \(lexically\)", line)
    if m:
        less, more = (m.group(1), m.group(3)) if "<" in m.group(2) else (m.group(3), m.group(1))
        both = [f.values(norm(x)) for x in (less, more)]
        if all(v and len(v) == 1 for v in both):
            a, b = ([fractions.Fraction(x) for x in next(iter(v))[1:-1].split(", ")] for v in both)
            return a < b or a == b and "=" in m.group(2)
        some = all(f.path("", length(x)) < 0 for x in (less, more))
        return some and any(f.path(a, b) < 0 for a in ends(less, "Max:") for b in ends(more, "Min:")) or "=" in m.group(2) and f.same(norm(less), norm(more))
    m = re.fullmatch(r"(.*) contains no nulls and has only one value, of length 1", line)
    if m:
        x = norm(m.group(1))
        one = f.path("len(%s)" % x, "") == 1 and -f.path("", "len(%s)" % x) == 1
        return f.member("each:" + x, f.nonnull | f.single) and (f.member(x, f.single) or one and f.member("each:" + x, f.single))
    m = re.fullmatch(r"(.*) has only one value", line)
    if m:
        x = m.group(1)
        x = "each:" + norm(x[: -len(" elements")]) if x.endswith(" elements") else norm(x)
        have = f.values(x)
        return f.member(x, f.single | f.null) or have is not None and len(have) == 1 or f.path(x, "") == -f.path("", x) != INF
    m = re.fullmatch(r"(.*) elements (==|!=|<=|>=|<|>) (.*)", line)
    if m:
        x, op, y = norm(m.group(1)), m.group(2), m.group(3)
        if y == "null":
            return f.member("each:" + x, f.nonnull if op == "!=" else f.null)
        have = f.values("each:" + x)
        if op == "==" and have is not None and {plain(v) for v in have} == {plain(y)}:
            return True
        if op == "==" and not NUMBER.match(y):
            return compare(f, "Max:" + x, "==", y) and compare(f, "Min:" + x, "==", y)
        return op in ("<", "<=") and compare(f, "Max:" + x, op, y) or op in (">", ">=") and compare(f, "Min:" + x, op, y) or \
            op == "!=" and (compare(f, "Max:" + x, "<", y) or compare(f, "Min:" + x, ">", y) or y == "0" and "each:%s != 0" % x in f.other)
    m = re.fullmatch(r"(.*) sorted by (.*)", line)
    if m:
        x = norm(m.group(1))
        ops = {"<": ["<"], "<=": ["<", "<="], ">": [">"], ">=": [">", ">="]}.get(m.group(2), [])
        return any("sorted %s %s" % (x, op) in f.other for op in ops) or constant_sorted(f.values(x), m.group(2))
    m = re.fullmatch(r"(.*) in (.*\[.*\].*)", line)
    if m:
        x, s = norm(m.group(1)), norm(m.group(2))
        values, elements = f.values(x), f.values(s)
        if any(o.startswith("member ") and f.same(o.split()[1], x) and f.same(o.split()[2], s) for o in f.other if len(o.split()) > 2):
            return True
        form = linear(m.group(1))
        value = values
        if form and len([k for k in form if k]) == 1 and form.get(""):  # a length less one
            have = f.values(next(k for k in form if k))
            value = have and {str(fractions.Fraction(v) + form[""]) for v in have}
        if value and len(value) == 1 and any(f.values(s[:-1].rstrip("[") + "[%s]" % end) == value for end in ("0", "-1")) and -f.path("", "len(%s)" % s) > 0:
            return True
        if form and elements and len(elements) == 1:
            name = next((k for k in form if k), None)
            lo, hi = (-f.path("", name), f.path(name, "")) if name else (0, 0)
            list_ = {plain(v) for v in next(iter(elements)).strip("[]").split(", ")}
            off = form.get("", 0)
            values = values or (f.values(name) if name else None)
            if values and not off and values <= list_:
                return True
            if values and all(NUMBER.match(v) for v in values):
                return {str(fractions.Fraction(v) + (off if name != x else 0)) for v in values} <= list_
            if lo != -INF and hi != INF and hi - lo < 2000:
                return {str(int(lo + off) + i) for i in range(int(hi - lo) + 1)} <= list_
        return False
    m = re.fullmatch(r"(.*) (==|!=) null", line)
    if m:
        x = norm(m.group(1))
        return f.member(x, f.null if m.group(2) == "==" else f.nonnull | f.single)
    m = re.fullmatch(r"(.*\[\]\)?) == (\[.*\])", line)
    if m:
        have = f.values(norm(m.group(1)))
        want = ", ".join(plain(v) for v in m.group(2)[1:-1].split(", "))
        return have is not None and len(have) == 1 and ", ".join(plain(v) for v in next(iter(have))[1:-1].split(", ")) == want
    m = re.fullmatch(r"(.*) % (.*) == 0", line)
    if m:
        a, b = norm(m.group(1)), norm(m.group(2))
        return any(o.split()[0] == "divides" and f.same(o.split()[1], b) and f.same(o.split()[2], a) for o in f.other) or compare(f, a, "==", b) or \
            f.values(a) == {"0"} or divisible(f.values(a), f.values(b))
    m = re.fullmatch(r"(.*) is a power of 2", line)
    if m:
        return "power-of-two " + norm(m.group(1)) in f.other
    m = re.fullmatch(r"(.*?) (==|!=|<=|>=|<|>) (.*)", line)
    return bool(m) and compare(f, m.group(1), m.group(2), m.group(3))


def divisible(a, b):
    return bool(a) and bool(b) and all(NUMBER.match(v) for v in a | b) and all(int(v) and int(u) % int(v) == 0 for u in a for v in b)


def constant_sorted(values, op):
    if not values or len(values) != 1:
        return False
    list_ = [fractions.Fraction(v) for v in next(iter(values)).strip("[]").split(", ") if NUMBER.match(v)]
    test = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}.get(op)
    return bool(test) and all(test(a, b) for a, b in zip(list_, list_[1:]))


def compare(f, left, op, right):
    a, b = (linear(x) if not x.startswith(("Max:", "Min:")) else {x: fractions.Fraction(1)} for x in (left, right))
    na, nb = norm(left), norm(right)
    if op == "==" and (f.same(na, nb) or f.values(na) == {right} or a is not None and b is not None and f.solve(minus(a, b))):
        return True
    if op == "==" and f.values(na) is not None and len(f.values(na)) == 1 and f.values(na) == f.values(nb):
        return True
    if op == "==" and f.member(na, f.null) and f.member(nb, f.null):
        return True
    if op == "==" and right.startswith('"') or left.startswith('"'):
        return f.values(na) == {right}
    if op == "!=" and f.values(na) and f.values(nb) and not f.values(na) & f.values(nb):
        return True
    if op in ("<", ">") and all(f.values(x) and all(v.startswith('"') for v in f.values(x)) for x in (na, nb)):  # strings
        less, more = (na, nb) if op == "<" else (nb, na)
        return max(v.strip('"') for v in f.values(less)) < min(v.strip('"') for v in f.values(more))
    if op == "!=" and f.values(na) and plain(right) not in {plain(v) for v in f.values(na)} and (right.startswith('"') or NUMBER.match(right)):
        return True
    if op == "!=" and (f.member(na, f.null) and f.member(nb, f.nonnull) or f.member(nb, f.null) and f.member(na, f.nonnull)):
        return True
    if a is None or b is None:
        return False
    d = f.plainly(minus(a, b))  # d op 0
    terms = [k for k in d if k]
    c = d.get("", 0)

    def most(sign):
        """An upper bound of sign * d."""
        up = [k for k in terms if d[k] * sign > 0]
        down = [k for k in terms if d[k] * sign < 0]
        if len(up) == len(down) == 1 and abs(d[up[0]]) == abs(d[down[0]]):
            return abs(d[up[0]]) * f.path(up[0], down[0]) + sign * c
        total = sign * c
        for k in up:
            total += abs(d[k]) * f.path(k, "")
        for k in down:
            total += abs(d[k]) * f.path("", k)
        return total
    for eq in f.equations:  # what follows once a variable is replaced by what it is equal to
        eq = f.plainly(eq)
        for k in [k for k in terms if eq.get(k)] if not left.startswith("Max:") else []:
            replaced = combine(d, eq, -d[k] / eq[k])
            bounds = [sum((abs(w) * (f.path(x, "") if w * sign > 0 else f.path("", x)) for x, w in replaced.items() if x), sign * replaced.get("", fractions.Fraction(0))) for sign in (1, -1)]
            if op in ("<", "!=") and bounds[0] < 0 or op == "<=" and bounds[0] <= 0 or op in (">", "!=") and bounds[1] < 0 or op == ">=" and bounds[1] <= 0:
                return True
    if op == "<=":
        return most(1) <= 0
    if op == "<":
        return most(1) < 0
    if op == ">=":
        return most(-1) <= 0
    if op == ">":
        return most(-1) < 0
    if op == "==":
        return most(1) <= 0 and most(-1) <= 0
    if most(1) < 0 or most(-1) < 0:
        return True
    for u, v, k in f.neq:
        eq = f.plainly(minus({u: fractions.Fraction(1)}, {v: fractions.Fraction(1)} if v else {}))
        if d == eq or d == {x: -y for x, y in eq.items()}:
            return True
        if len(terms) == 2 and not c and (f.same(terms[0], u) and f.same(terms[1], v) or f.same(terms[1], u) and f.same(terms[0], v)):
            return True
        if len(terms) == 1 and not c and not v and f.same(terms[0], u):
            return True
    return False


NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(line):
    m = re.fullmatch(r"(.*?) (==|!=|<=|>=|<|>) (.*)", line)
    return "%s %s %s" % (m.group(1), NEGATED[m.group(2)], m.group(3)) if m else None


def said(points, func, at, line):
    """Whether our points say a line of Daikon's, which may be an implication."""
    if at is None:
        methods = [(fn, a) for (fn, a), told in points.items() if re.match(re.escape(func) + r"\.[^.]*\(", fn) and "this" in told.of(frozenset()).nonnull]
        return bool(methods) and all(said(points, fn, a, line) for fn, a in methods)
    told = points.get((func, at))
    if told is None:
        return False
    m = re.fullmatch(r"\((.*)\)\s+(<==>|==>)\s+\((.*)\)", line)
    if not m:
        return holds(told.facts(line), line) or at == "exit" and bool(told.ways) and all(holds(w.facts(line), line) for w in told.ways)
    sides = [(m.group(1), m.group(3))]
    if m.group(2) == "<==>":
        sides.append((m.group(3), m.group(1)))
    return all(implied(told, a, b) for a, b in sides)


def implied(told, a, b):
    """Whether b is said of the samples of which a is true."""
    f = told.facts(a + " " + b)
    if a == b.replace("true", "1").replace("false", "0") or holds(f, b) or negated(a) and holds(f, negated(a)):
        return True
    for guard, inner in f.implications:
        if (holds(guard_facts(a), guard) or guard == norm(a)) and holds(inner, b):
            return True
    m = re.fullmatch(r"(.*) == ([01])", b)
    if m and f.values(norm(m.group(1))) == {"0", "1"} and negated(a):  # if not b, then not a
        other = "%s == %d" % (norm(m.group(1)), 1 - int(m.group(2)))
        if any(guard == other and holds(inner, negated(a)) for guard, inner in f.implications):
            return True
    ways = [w.facts(a + " " + b) for w in told.ways]
    return bool(ways) and all(holds(w, b) or negated(a) and holds(w, negated(a)) for w in ways)


def guard_facts(a):
    f = Facts()
    m = re.fullmatch(r"(.*) (==|!=) (null|nil)", a)
    if m:
        (f.null if m.group(2) == "==" else f.nonnull).add(norm(m.group(1)))
    return f


class Told:
    """What our document says of a point. Of an element that need not exist it is said where it does; so it counts only for what is asked of that
    element, or of others that exist where it does."""

    def __init__(self):
        self.always, self.where, self.entry, self.ways, self.known = [], [], None, [], {}

    def add(self, inv):
        m = re.match(r"implies\((.*?), ", inv["expr"])
        if m and inv["template"] not in ("implication", "error-result"):
            self.where.append((m.group(1).split(" && "), inv))
        else:
            self.always.append(inv)

    def facts(self, line):
        """What there is to know about a line of Daikon's."""
        base = self.of(frozenset())
        line = unchanged(base, line)
        names = {norm(tok) for tok in re.split(r"[ ()](?![^\[]*\])|[ ]", line)} | {norm(tok) for tok in line.split()}
        given = frozenset().union(*[c for x, c in self.conditions().items() if x in names])
        return self.of(given)

    def of(self, given):
        """The facts where elements exist on conditions."""
        if given not in self.known:
            f = Facts()
            for inv in self.always:
                take(f, inv)
            if self.entry:
                for inv in self.entry.always:
                    remember(f, inv)
            if given:
                for cond, was, inv in self.conditional():
                    if cond <= given:
                        (remember if was else take)(f, inv)
            self.known[given] = f
        return self.known[given]

    def conditional(self):
        """What is said where elements exist: the conditions, whether it is said of the entry, and the invariant."""
        if not hasattr(self, "_conditional"):
            base = self.of(frozenset())
            own = [(self.simple(base, conj, False), False, inv) for conj, inv in self.where]
            self._conditional = own + [(self.simple(base, conj, True), True, inv) for conj, inv in (self.entry.where if self.entry else [])]
        return self._conditional

    def conditions(self):
        """On what the elements exist that something is said of."""
        if not hasattr(self, "_conditions"):
            self._conditions = {}
            for cond, was, inv in self.conditional():
                for x in inv["vars"]:
                    x = old(norm(x)) if was else norm(x)
                    self._conditions[x] = self._conditions.get(x, cond) & cond
        return self._conditions

    def simple(self, base, conj, was):
        """Conditions that are alike as one: 0 <= i-1, i < len(a), len(a) > 0."""
        name = lambda x: base.find(old(norm(x)) if was else norm(x))
        out = set()
        for c in conj:
            m = re.fullmatch(r"0 <= (.*?)(-1)?", c)
            if m:
                x, off = name(m.group(1)), -1 if m.group(2) else 0
                if -base.path("", x) + off < 0:
                    out.add(("from", x, off))
                continue
            m = re.fullmatch(r"(.*?)(-1)? < (len\(.*\)|old\(len\(.*\)\))", c)
            if m:
                x, off, n = name(m.group(1)), -1 if m.group(2) else 0, name(m.group(3))
                if base.path(x, n) + off >= 0:
                    hi = base.path(n, "")
                    out.add(("to", x, off, hi if hi == -base.path("", n) else n))
                continue
            m = re.fullmatch(r"(.*) > 0", c)
            if not (m and base.path("", name(m.group(1))) < 0):
                out.add((c, was))
        return frozenset(out)


def ours(document):
    """The points of a document, each way out with the entry, and the exit with the ways."""
    points = {}
    for p in json.load(open(document))["points"]:
        told = points.setdefault((p["func"], p["at"]), Told())
        for inv in p["invariants"] + p.get("ambitious", []):
            told.add(inv)
    for (func, at), told in points.items():
        if at != "entry":
            told.entry = points.get((func, "entry"))
        if at.startswith("exit") and at != "exit" and (func, "exit") in points:
            points[func, "exit"].ways.append(told)
    return points


def remember(f, inv):
    """Adds what held at the entry to what is known at a way out."""
    e = Facts()
    take(e, inv)
    for (u, v), c in e.edges.items():
        f.le(old(u), old(v), c)
    for x, y in list(e.parent.items()):
        f.parent[f.find(old(x))] = f.find(old(y))
    for x, s in e.sets.items():
        f.among(old(x), s)
    f.null |= {old(x) for x in e.null}
    f.nonnull |= {old(x) for x in e.nonnull}
    f.single |= {old(x) for x in e.single}
    f.equations += [{(old(k) if k else k): v for k, v in eq.items()} for eq in e.equations]
    f.neq += [(old(u), old(v), k) for u, v, k in e.neq]
    f.other |= {" ".join([o.split()[0]] + [old(w) if not NUMBER.match(w) else w for w in o.split()[1:]]) for o in e.other if o.split()}


def take(f, inv):
    if inv["template"] in ("implication", "error-result"):
        m = re.match(r"implies\((.*?), ", inv["expr"])
        inner = Facts()
        names = inv["vars"][1:]
        inner.add(inv["params"][0], names, inv["params"][1:], inv["expr"][m.end():-1])
        f.implications.append((m.group(1).replace("nil", "null"), inner))
        return
    f.add(inv["template"], inv["vars"], inv.get("params", []), inv["expr"])


def old(name):
    return name if name.startswith("old(") or name == "" else re.sub(r"^(Max:|Min:|each:)?(.*)$", lambda m: (m.group(1) or "") + "old(" + m.group(2) + ")", name)


def kind(line):
    """A line of Daikon's without names and numbers, for counting."""
    if "==>" in line:
        return "implication"
    if "has only one value" in line:
        return "has only one value"
    if "lexically" in line:
        return "lexical comparison of sequences"
    line = re.sub(r'"[^"]*"', "S", line)
    line = re.sub(r"\{.*\}", "{...}", line)
    line = re.sub(r"\[[-\d., E]{4,}\]", "[...]", line)
    words = [w if w in ("==", "!=", "<", "<=", ">", ">=", "one", "of", "in", "elements", "sorted", "by", "null", "%", "+", "-", "*", "is", "a", "power", "{...}", "[...]", "==>", "<==>") else
             ("N" if NUMBER.match(w) else "x[]" if "[]" in w else "x") for w in line.split()]
    return " ".join(words)


def turned(line):
    """The opposite of a line, or what it would be with one value less; None for lines of other forms."""
    m = re.fullmatch(r"(.*) one of \{ (.*) \}", line)
    if m:
        list_ = sorted(literals(m.group(2)))
        return "%s one of { %s }" % (m.group(1), ", ".join(list_[1:])) if len(list_) > 1 else None
    if "==>" in line or " sorted by " in line or " elements " in line:
        return None
    return negated(line)


def main():
    verbose, around = "-v" in sys.argv, "-t" in sys.argv
    total = found = 0
    for arg in [a for a in sys.argv[1:] if a not in ("-v", "-t")]:
        name, printed, document = arg.split(":")
        points = ours(document)
        func = at = None
        condition = ""
        n = hit = 0
        missing = collections.Counter()
        lines = []
        for line in open(printed):
            line = re.sub(r"(\d)L\b", r"\1", line.rstrip("\n"))
            if not line.strip() or line.startswith(("===", "Daikon", "Exiting")):
                continue
            m = re.fullmatch(r"(.*):::(EXIT\d*);condition=\"(not\()?(.*) == true\)?\"", line)
            if m:  # what follows is said of a part of the samples
                condition = "(%s == %d)  ==>  " % (m.group(4), 0 if m.group(3) else 1)
                continue
            line = re.sub(r"([\w.$]+)\.class\b", r'"\1"', line)  # a type, which is a string in the trace
            m = re.fullmatch(r"(.*):::(OBJECT|CLASS)", line)
            if m:  # what follows holds at all entries and exits of the type's methods, and is not repeated there
                func, at, condition = m.group(1), None, ""
                continue
            m = re.fullmatch(r"(.*):::(ENTER|EXIT\d*)", line)
            if m:
                condition = ""
                func, at = m.group(1), {"ENTER": "entry"}.get(m.group(2), m.group(2).lower())
                if at not in ("entry", "exit") and (func, at) not in points:
                    at = "exit"
                continue
            if around:
                line = turned(line) if not condition else None
                if line is None:
                    continue
            n += 1
            if condition:
                line = "%s(%s)" % (condition, line)
            if said(points, func, at, line):
                hit += 1
            else:
                missing[kind(line)] += 1
                lines.append("    %s %s: %s" % (func, at, line))
        total, found = total + n, found + hit
        print("%-14s %5d of %5d  %5.1f %%" % (name, hit, n, 100 * hit / max(n, 1)))
        for k, c in missing.most_common(40):
            print("    %4d  %s" % (c, k[:140]))
        if verbose:
            print("\n".join(x[:260] for x in lines))
    print("%-14s %5d of %5d  %5.1f %%" % ("all", found, total, 100 * found / max(total, 1)))


main()
