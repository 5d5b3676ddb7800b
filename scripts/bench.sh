#!/bin/sh
# Prints the figures of the README for examples/parcel and github.com/emirpasic/gods@v1.18.1, which
# is fetched from the module proxy: the time of each stage, and how the time of check grows with the
# size of a module. Then it runs the benchmarks of check and of loading packages.
#
# usage: scripts/bench.sh      (build first: make)
set -eu
export DSDCACHE=off # nothing from earlier runs
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# per N FROM TO prints N per second, secs FROM TO the seconds between two times.
now() { date +%s.%N; }
per() { awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%.0f", n / (b - a) }'; }
secs() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", b - a }'; }
# field FILE KEY prints the first value of a key in a document; the value is a number.
field() { sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" "$1" | head -1; }

# run NAME DIR runs the four stages on a module and prints the time of each.
run() {
	name=$1 dir=$2
	t0=$(now)
	bin/infer trace -C "$dir" -o "$work/trace.jsonl" ./... 2>/dev/null
	t1=$(now)
	bin/infer invariants -o "$work/invariants.json" "$work/trace.jsonl"
	t2=$(now)
	bin/check -C "$dir" --assume "$work/invariants.json" -o "$work/warnings.json" ./... || [ $? -eq 1 ]
	t3=$(now)
	bin/crash confirm -C "$dir" --assume "$work/invariants.json" -o "$work/crashes.json" \
		"$work/warnings.json" 2>/dev/null || [ $? -eq 1 ]
	t4=$(now)
	samples=$(sed 1d "$work/trace.jsonl" | sed 's/.*"n":\([0-9]*\),.*/\1/' |
		awk '{ n += $1 } END { print n + 0 }')
	functions=$(field "$work/warnings.json" functions)
	queries=$(field "$work/warnings.json" queries)
	candidates=$(field "$work/crashes.json" candidates)
	echo "$name"
	echo "  infer trace       $(secs "$t0" "$t1") s, $samples samples," \
		"$(per "$samples" "$t0" "$t1") per second (including the build)"
	echo "  infer invariants  $(secs "$t1" "$t2") s"
	echo "  check             $(secs "$t2" "$t3") s, $functions functions," \
		"$(per "$functions" "$t2" "$t3") per second; $queries queries," \
		"$(per "$queries" "$t2" "$t3") per second"
	echo "  crash confirm     $(secs "$t3" "$t4") s, $candidates candidates," \
		"$(per "$candidates" "$t3" "$t4") per second (including the build)"
}

model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
echo "$(go version), $(nproc) processors, $model"
run examples/parcel examples/parcel
mkdir "$work/get" && (cd "$work/get" && go mod init get >/dev/null 2>&1 &&
	go mod download -json github.com/emirpasic/gods@v1.18.1 |
	sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p') >"$work/dir"
cp -r "$(cat "$work/dir")" "$work/gods" && chmod -R u+w "$work/gods"
run github.com/emirpasic/gods@v1.18.1 "$work/gods"
# Is the time of check linear in the size of a module? The containers of gods once, twice and four
# times in one module, under different import paths.
for n in 1 2 4; do
	d=$work/copies$n
	mkdir "$d" && printf 'module example.com/copies\n\ngo 1.21\n' >"$d/go.mod"
	for i in $(seq "$n"); do
		mkdir "$d/c$i"
		for p in containers lists stacks sets utils queues trees maps; do
			cp -r "$work/gods/$p" "$d/c$i/"
		done
		find "$d/c$i" -name '*_test.go' -delete
		find "$d/c$i" -name '*.go' \
			-exec sed -i "s,github.com/emirpasic/gods/,example.com/copies/c$i/,g" {} +
	done
	t0=$(now)
	bin/check -C "$d" -o "$work/warnings.json" ./... || [ $? -eq 1 ]
	t1=$(now)
	echo "$n copies of gods: $(field "$work/warnings.json" functions) functions checked" \
		"in $(secs "$t0" "$t1") s"
done
go test -run '^$' -bench . -benchtime 20x ./check/... ./internal/source/... 2>/dev/null |
	grep ^Benchmark || true
