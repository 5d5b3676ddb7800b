#!/bin/sh
# Checks and confirms modules from the module proxy, and prints a table per module: functions, the
# skipped ones with the reason, warnings by kind and how many of them were confirmed, time and
# memory.
#
# usage: scripts/modules.sh [--assume] [-o DIR] [MODULE VERSION]...      (build first: make)
#
# The default is MODULES, below. With --assume, the modules' own tests are traced first, and check
# assumes the invariants learned from them. Sources and documents go to DIR/NAME and are kept;
# without -o they are removed. If LIMIT is set in the environment, check is interrupted after that
# many seconds.
set -eu
export DSDCACHE=off # nothing from earlier runs
cd "$(dirname "$0")/.."
MODULES='github.com/emirpasic/gods v1.18.1
github.com/google/btree v1.1.3
github.com/hashicorp/golang-lru/v2 v2.0.7
github.com/spf13/pflag v1.0.10
github.com/shopspring/decimal v1.4.0
github.com/tidwall/gjson v1.20.0
github.com/BurntSushi/toml v1.6.0
github.com/yuin/goldmark v1.8.7
github.com/sirupsen/logrus v1.10.2
github.com/urfave/cli/v2 v2.27.7'
out='' assume=''
while [ $# -gt 0 ]; do
	case $1 in
	--assume) assume=yes; shift ;;
	-o) out=$2; shift 2 ;;
	*) break ;;
	esac
done
[ $# -eq 0 ] || MODULES=$(while [ $# -gt 0 ]; do echo "$1 $2"; shift 2; done)
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'chmod -R u+w "$out"; rm -rf "$out"' EXIT
fi
mkdir -p "$out/get"
(cd "$out/get" && [ -f go.mod ] || go mod init get >/dev/null 2>&1)

model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
echo "$(go version), $(nproc) processors, $model"
echo "$MODULES" | while read -r path version; do
	name=$(echo "$path" | sed 's,^github.com/,,; s,/,_,g')
	dir=$out/$name
	if [ ! -d "$dir/src" ]; then
		mkdir -p "$dir"
		cp -r "$(cd "$out/get" && go mod download -json "$path@$version" |
			sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')" "$dir/src"
		chmod -R u+w "$dir/src"
		(cd "$dir/src" && go mod download 2>/dev/null) || true
	fi
	set --
	seeds=''
	if [ -n "$assume" ]; then
		bin/infer trace -C "$dir/src" -o "$dir/trace.jsonl.gz" ./... 2>"$dir/trace.log" || true
		bin/infer invariants -o "$dir/invariants.json" "$dir/trace.jsonl.gz"
		set -- --assume "$dir/invariants.json"
		seeds="--trace $dir/trace.jsonl.gz"
	fi
	python3 scripts/measure.py "$dir/check" ${LIMIT:+timeout -s INT "$LIMIT"} \
		bin/check -C "$dir/src" "$@" -o "$dir/warnings.json" ./...
	python3 scripts/measure.py "$dir/confirm" \
		bin/crash confirm -C "$dir/src" "$@" $seeds -o "$dir/crashes.json" --tests "$dir/tests" \
		"$dir/warnings.json"
	python3 scripts/table.py "$path@$version" "$dir"
done
