#!/usr/bin/env python3
"""Fits the weights of the signs to labeled crashes, and reports how well the ranks do.

usage: fit.py [--fit] LABELS...

LABELS are files of JSON objects, one a line: module, kind, func, pos, rank, score, signs, and a
label: bug, arguable or no (judged by hand), or fixed or still (see fixedlater.py). Modules are
divided by the last digit of the sum of their letters: a third of them is never fitted on. Without
--fit, it only reports, for both parts:

  likely-bug   the share of likely bugs that are bugs, or arguable
  known bugs   the share of bugs, among crashes with a public way, that are ranked likely-bug
  first five   the share of bugs, or arguable, among the first five of each module

With --fit, it prints integer weights that a logistic regression with a penalty finds on the other
two thirds. A sign whose weight is fixed by hand in crash/blame/signs.go decides a rank.
"""
import argparse
import collections
import json
import math

DECIDING = {"convention", "documented", "must", "helper", "no-public-way"}
DEMOTING = {"same-panic", "similar-panic", "more-of-a-kind"}
VALUE = {"bug": 1.0, "fixed": 0.9, "arguable": 0.6, "still": 0.15, "no": 0.0}
RANKS = ["likely-bug", "look", "contract", "unreachable"]


def held_out(module):
    return sum(map(ord, module)) % 3 == 0


def report(rows, name):
    judged = [r for r in rows if r["label"] in ("bug", "arguable", "no")]
    likely = [r for r in judged if r["rank"] == "likely-bug"]
    good = [r for r in likely if r["label"] != "no"]
    # Of crashes with the same panic, one is ranked likely-bug.
    bugs = [r for r in rows if r["label"] in ("bug", "fixed") and r["rank"] != "unreachable"
            and "same-panic" not in r["signs"]]
    found = [r for r in bugs if r["rank"] == "likely-bug"]
    modules = collections.defaultdict(list)
    for r in judged:
        modules[r["module"]].append(r)
    five = []
    for list_ in modules.values():
        list_.sort(key=lambda r: (RANKS.index(r["rank"]), -r["score"]))
        five += [r for r in list_[:5] if r["rank"] in ("likely-bug", "look")]
    useful = [r for r in five if r["label"] != "no"]
    share = lambda a, b: f"{len(a)} of {len(b)} ({100 * len(a) / max(len(b), 1):.0f}%)"
    print(f"{name:10} {len(modules):3} modules  likely-bug {share(good, likely):>16}"
          f"  known bugs {share(found, bugs):>16}  first five {share(useful, five):>17}")


def fit(rows):
    """Returns weights by a logistic regression: gradient descent with an L2 penalty."""
    rows = [r for r in rows if not DECIDING & set(r["signs"])]
    names = sorted({s for r in rows for s in r["signs"] if s not in DEMOTING})
    weights = dict.fromkeys(names, 0.0)
    bias = 0.0
    count = collections.Counter(r["module"] for r in rows)
    hand = {"bug", "arguable", "no"}
    for _ in range(3000):
        step = dict.fromkeys(names, 0.0)
        up = 0.0
        for r in rows:
            # No module counts for more than ten crashes, and what was judged counts more.
            much = min(1, 10 / count[r["module"]]) * (1 if r["label"] in hand else 0.3)
            z = bias + sum(weights[s] for s in r["signs"] if s in weights)
            error = much * (VALUE[r["label"]] - 1 / (1 + math.exp(-z)))
            up += error
            for s in r["signs"]:
                if s in step:
                    step[s] += error
        bias += 0.02 * up
        for s in names:
            weights[s] += 0.02 * (step[s] - 0.5 * weights[s])
    seen = collections.Counter(s for r in rows for s in r["signs"])
    print(f"bias {2 * bias:+.1f} (in units of weights)")
    for s in sorted(names, key=lambda s: -weights[s]):
        print(f"  {s:26} {2 * weights[s]:+5.1f}   seen {seen[s]}")


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--fit", action="store_true")
    ap.add_argument("labels", nargs="+")
    a = ap.parse_args()
    rows = []
    for file in a.labels:
        rows += [json.loads(line) for line in open(file)]
    rows = [r for r in rows if r["label"] in VALUE]
    report([r for r in rows if not held_out(r["module"])], "fitted on")
    report([r for r in rows if held_out(r["module"])], "held out")
    if a.fit:
        fit([r for r in rows if not held_out(r["module"])])


if __name__ == "__main__":
    main()
