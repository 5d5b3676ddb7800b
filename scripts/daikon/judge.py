"""Whether facts say a line that Daikon prints."""
import fractions
import re

from forms import INF, NUMBER, combine, ends, length, linear, literals, minus, norm, old, plain


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
        value = values  # of x itself
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
    """Whether facts say left op right, sums of terms or values."""
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
