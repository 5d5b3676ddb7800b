#!/bin/sh
# Runs every stage twenty times, with 1 to 8 jobs and 1 to 8 processors, and compares the documents
# byte by byte.
#
# usage: scripts/stable.sh [-n RUNS] [MODULE DIR]      (build first: make; default: examples/parcel)
set -eu
export DSDCACHE=off # nothing from earlier runs
cd "$(dirname "$0")/.."
runs=20
if [ "${1-}" = -n ]; then
	runs=$2
	shift 2
fi
dir=${1:-examples/parcel}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

# stable NAME COMMAND...: the command writes its document to $out/NAME, and reads $input.
input=''
stable() {
	name=$1
	shift
	i=0
	while [ "$i" -lt "$runs" ]; do
		GOMAXPROCS=$((i * 5 % 8 + 1)) "$@" -j $((i % 8 + 1)) -o "$out/$name.$i" $input ||
			[ $? -eq 1 ]
		i=$((i + 1))
	done
	mv "$out/$name.0" "$out/$name"
	different=0
	for f in "$out/$name" "$out/$name".*; do
		[ "$name" = random ] && sed -i '/"found_after"/d' "$f" # a time
	done
	for f in "$out/$name".*; do
		[ -f "$f" ] && ! cmp -s "$f" "$out/$name" && different=$((different + 1))
		rm -f "$f"
	done
	echo "$name: $runs runs, $different with other bytes than the first"
	[ $different -eq 0 ] || failed=1
}

stable trace bin/infer trace -C "$dir"
bin/infer invariants -o "$out/invariants" "$out/trace"
stable warnings bin/check -C "$dir"
stable assumed bin/check -C "$dir" --assume "$out/invariants"
input=$out/assumed
stable crashes bin/crash confirm -C "$dir"
input=''
stable random bin/crash random -C "$dir" --candidates 3000
exit $failed
