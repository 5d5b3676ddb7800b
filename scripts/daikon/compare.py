#!/usr/bin/env python3
"""Which of the invariants that Daikon prints do ours say, too?

    scripts/daikon/compare.py [-v] [-t] NAME:PRINTED:DOCUMENT...

PRINTED is what daikon.PrintInvariants prints of a trace, DOCUMENT what infer invariants learned from the same files. An invariant of Daikon's counts
if ours have it or it follows from ours at the same program point: by equality, by differences of numbers (shortest paths over x - y <= c), by linear
equations, by what the ways out of a function have in common. It prints a line an input, and below what is missing, by kind; -v prints each.
With -t every line is turned around first: x < y is x >= y then, and one of { 1, 2 } is one of { 2 }. Ours follow from true samples, so they should say
none of those; -t is for finding out whether this script counts too much.
"""
import collections
import re
import sys

from forms import NUMBER, literals, negated, norm
from judge import holds
from told import guard_facts, ours


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
