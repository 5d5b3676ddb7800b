"""What a document of ours says of its program points."""
import functools
import json
import re

from facts import Facts
from forms import NUMBER, norm, old
from judge import unchanged


def guard_facts(a):
    """What the condition of an implication says: that a reference is null, or not."""
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
        given = frozenset().union(*[c for x, c in self.conditions.items() if x in names])
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
                for cond, was, inv in self.conditional:
                    if cond <= given:
                        (remember if was else take)(f, inv)
            self.known[given] = f
        return self.known[given]

    @functools.cached_property
    def conditional(self):
        """What is said where elements exist: the conditions, whether it is said of the entry, and the invariant."""
        base = self.of(frozenset())
        own = [(self.simple(base, conj, False), False, inv) for conj, inv in self.where]
        return own + [(self.simple(base, conj, True), True, inv) for conj, inv in (self.entry.where if self.entry else [])]

    @functools.cached_property
    def conditions(self):
        """On what the elements exist that something is said of, by name."""
        out = {}
        for cond, was, inv in self.conditional:
            for x in inv["vars"]:
                x = old(norm(x)) if was else norm(x)
                out[x] = out.get(x, cond) & cond
        return out

    def simple(self, base, conj, was):
        """Conditions that are alike as one: 0 <= i-1, i < len(a), len(a) > 0."""
        def name(x):
            return base.find(old(norm(x)) if was else norm(x))
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
    """Adds an invariant of a document to facts."""
    if inv["template"] in ("implication", "error-result"):
        m = re.match(r"implies\((.*?), ", inv["expr"])
        inner = Facts()
        names = inv["vars"][1:]
        inner.add(inv["params"][0], names, inv["params"][1:], inv["expr"][m.end():-1])
        f.implications.append((m.group(1).replace("nil", "null"), inner))
        return
    f.add(inv["template"], inv["vars"], inv.get("params", []), inv["expr"])
