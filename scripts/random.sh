#!/bin/sh
# Runs crash random on the modules of scripts/modules.sh, and confirms the warnings of check, each
# for about a minute. Prints a table: candidates, crashes by rank, and how many of the generated
# tests panic at the reported line under plain go test.
#
# usage: scripts/random.sh [-t SECONDS] [-o DIR]      (build first: make)
#
# The sources of a module are taken from DIR/NAME/src, or fetched from the module proxy.
set -eu
export DSDCACHE=off # nothing from earlier runs
cd "$(dirname "$0")/.."
seconds=60 out=''
while [ $# -gt 0 ]; do
	case $1 in
	-t) seconds=$2; shift 2 ;;
	-o) out=$2; shift 2 ;;
	*) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
	esac
done
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'chmod -R u+w "$out"; rm -rf "$out"' EXIT
fi
mkdir -p "$out/get"
(cd "$out/get" && [ -f go.mod ] || go mod init get >/dev/null 2>&1)
# row NAME STAGE FILE prints a line of the table about a crashes document.
row() {
	ranks=$(jq -r '[.stats.candidates, .stats.confirmed, (.crashes|length)]
		+ [("likely-bug","look","contract","unreachable") as $r | [.crashes[]|select(.rank == $r)]|length]
		+ [.stats.suppressed // 0] | @tsv' "$3")
	verified=$(python3 scripts/verify.py "$out/$1/src" "$3" | tee "$3.verified" | tail -1) || true
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$ranks" "$verified"
}
printf 'module\tstage\tcandidates\tconfirmed\tcrashes\tbug\tlook\tmisuse\thidden\ttests\n'
sed -n "s/^MODULES='//; s/'\$//; /^github.com/p" scripts/modules.sh | while read -r path version; do
	name=$(echo "$path" | sed 's,^github.com/,,; s,/,_,g')
	dir=$out/$name
	if [ ! -d "$dir/src" ]; then
		mkdir -p "$dir"
		cp -r "$(cd "$out/get" && go mod download -json "$path@$version" |
			sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')" "$dir/src"
		chmod -R u+w "$dir/src"
		(cd "$dir/src" && go mod download 2>/dev/null) || true
	fi
	[ -f "$dir/invariants.json" ] || {
		bin/infer trace -C "$dir/src" -o "$dir/trace.jsonl.gz" ./... 2>"$dir/trace.log" || true
		bin/infer invariants -o "$dir/invariants.json" "$dir/trace.jsonl.gz"
	}
	bin/crash random -C "$dir/src" --assume "$dir/invariants.json" --time "${seconds}s" \
		-o "$dir/random.json" 2>"$dir/random.log" || [ $? -eq 1 ]
	row "$name" random "$dir/random.json"
	timeout -s INT "$seconds" bin/check -C "$dir/src" --assume "$dir/invariants.json" \
		-o "$dir/user.json" 2>"$dir/user.log" || true
	bin/crash confirm -C "$dir/src" --assume "$dir/invariants.json" -o "$dir/confirmed.json" \
		"$dir/user.json" 2>"$dir/confirm.log" || [ $? -eq 1 ]
	row "$name" confirm "$dir/confirmed.json"
done
