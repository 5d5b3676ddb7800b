"""Names and terms as Daikon and our documents write them, made one."""
import collections
import fractions
import re

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


def combine(a, b, f):
    """a + f * b, of sums of terms."""
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
    """A number in one form, 43 for 43.0; anything else as it is."""
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


NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(line):
    """The opposite of a comparison; None for anything else."""
    m = re.fullmatch(r"(.*?) (==|!=|<=|>=|<|>) (.*)", line)
    return "%s %s %s" % (m.group(1), NEGATED[m.group(2)], m.group(3)) if m else None


def old(name):
    """What a variable was at the entry, or the extremes or each of its elements were."""
    return name if name.startswith("old(") or name == "" else re.sub(r"^(Max:|Min:|each:)?(.*)$", lambda m: (m.group(1) or "") + "old(" + m.group(2) + ")", name)
