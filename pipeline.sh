#!/bin/sh
# Runs the whole pipeline on a Go module: traces its tests, learns invariants, checks under them,
# and confirms the warnings as crashes. The documents, and the tests of the crashes, go to .dsd in
# the current directory (or -o DIR).
#
# usage: ./pipeline.sh [-C dir] [-o dir] [packages]
#
# Exit status: 0 no crash, 1 crashes found, 2 wrong usage, 3 the analysis could not be carried out.
set -u

here=$(cd "$(dirname "$0")" && pwd)
dir=. out=.dsd
while getopts C:o:h opt; do
	case $opt in
	C) dir=$OPTARG ;;
	o) out=$OPTARG ;;
	h) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) echo "usage: pipeline.sh [-C dir] [-o dir] [packages]" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] && set -- ./...
[ -d "$dir" ] || { echo "pipeline.sh: -C $dir: no such directory" >&2; exit 2; }

"$here/scripts/deps.sh" || exit 3
(cd "$here" && go build -tags urfave_cli_no_docs -o bin/ ./cmd/infer ./cmd/check ./cmd/crash) || {
	echo "pipeline.sh: the tools do not build; if z3.h is missing, see scripts/deps.sh" >&2
	exit 3
}
mkdir -p "$out" || exit 2
bin=$here/bin
# So that the results of an earlier run are not taken for those of a step that fails.
rm -rf "$out/trace.jsonl.gz" "$out/invariants.json" "$out/warnings.json" "$out/crashes.json" \
	"$out/tests"

# step NAME COMMAND... runs the command, and exits with its status unless that is 0 or 1.
step() {
	name=$1
	shift
	[ -t 2 ] && printf '%s ...\r' "$name" >&2
	"$@"
	code=$?
	[ $code -le 1 ] || { echo "pipeline.sh: $name failed" >&2; exit $code; }
}

start=$(date +%s)
step "infer trace" "$bin/infer" trace -C "$dir" -o "$out/trace.jsonl.gz" "$@"
step "infer invariants" "$bin/infer" invariants -o "$out/invariants.json" "$out/trace.jsonl.gz"
step "check" "$bin/check" -C "$dir" --assume "$out/invariants.json" \
	-o "$out/warnings.json" "$@"
step "crash confirm" "$bin/crash" confirm -C "$dir" --assume "$out/invariants.json" \
	--trace "$out/trace.jsonl.gz" -o "$out/crashes.json" --tests "$out/tests" "$out/warnings.json"
step "crash report" "$bin/crash" report -C "$dir" --warnings "$out/warnings.json" \
	--tests "$out/tests" "$out/crashes.json"
echo
echo "$(($(date +%s) - start)) s. To keep a test, copy it into the module and run go test -run." \
	"Documents: $out/"
exit $code
