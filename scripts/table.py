#!/usr/bin/env python3
"""Prints a summary of DIR/warnings.json, DIR/crashes.json, and the cost of making them.

usage: table.py NAME DIR

scripts/modules.sh calls it. The cost is in DIR/check.cost and DIR/confirm.cost (see measure.py).
"""
import collections
import json
import re
import sys

name, directory = sys.argv[1:]


def load(file):
    with open(f"{directory}/{file}") as f:
        return json.load(f)


warnings, check, confirm = load("warnings.json"), load("check.cost"), load("confirm.cost")
try:
    crashes = load("crashes.json")
except (OSError, ValueError):
    crashes = {"crashes": [], "unconfirmed": []}
total = warnings["functions"] + len(warnings["skipped"])
stats = warnings["stats"]
print(f"\n{name}: {total} functions, {100 * warnings['functions'] / max(total, 1):.1f}% analyzed; "
      f"check {check['seconds']:.0f} s, {check['mib']:.0f} MiB; confirm {confirm['seconds']:.0f} s")
for reason, n in collections.Counter(s["reason"] for s in warnings["skipped"]).most_common():
    print(f"  skipped {n}: {reason}")
bounded = {b["func"] for b in warnings["bounded"]}
print(f"  {stats['queries']} queries, {stats['unknown']} undecided; "
      f"{len(bounded)} functions bounded")

# A warning is confirmed if its crash happened, even if the policy hides it. It is settled if it is
# confirmed, or if a fact of a real run refutes it.
unconfirmed = {u["warning"]: u for u in crashes["unconfirmed"]}
NO_FACT = "the run took the path of the counterexample, and did not panic"  # how it begins
kinds = collections.defaultdict(collections.Counter)
reasons = collections.Counter()
for w in warnings["warnings"]:
    kind = kinds[w["kind"]]
    kind["warnings"] += 1
    kind[w["status"]] += 1
    u = unconfirmed.get(w["id"], {"outcome": "policy", "reason": ""})
    if u["outcome"] == "policy":
        kind["confirmed"] += 1
        kind[w["status"] + " confirmed"] += 1
        kind[w["status"] + " settled"] += 1
        continue
    if u["outcome"] == "refuted" and not u["reason"].startswith(NO_FACT):
        kind[w["status"] + " settled"] += 1
    # Leave out names, so that equal reasons are counted together.
    reason = re.sub(
        r"(the (?:field|type|method)) .*? (of|cannot)( .*?)?(?= cannot|$)", r"\1 \2", u["reason"]
    )
    reasons[w["status"] + ", " + u["outcome"] + ": " + reason.split(":")[0][:70]] += 1


def share(part, whole):
    return f"{100 * part / whole:.0f}%" if whole else "-"


everything = sum(kinds.values(), collections.Counter())
print(f"  {'':15} warnings  sat free unknown  of sat: confirmed settled  of free: confirmed settled")
for kind, n in [*sorted(kinds.items()), ("all", everything)]:
    print(f"  {kind:15} {n['warnings']:8} {n['sat']:4} {n['free']:4} {n['unknown']:7}"
          f"  {share(n['sat confirmed'], n['sat']):>17} {share(n['sat settled'], n['sat']):>7}"
          f"  {share(n['free confirmed'], n['free']):>18} {share(n['free settled'], n['free']):>7}")
for reason, n in reasons.most_common(8):
    print(f"  not confirmed {n}: {reason}")
