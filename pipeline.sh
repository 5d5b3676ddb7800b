#!/bin/sh
# Runs the whole pipeline on a Go module: traces its tests, learns invariants, checks under them,
# and confirms the warnings as crashes. The documents, and the tests of the crashes, go to .dsd in
# the current directory.
#
# usage: ./pipeline.sh [options] [packages]
#
#   -C DIR, --dir DIR      the module (default: the current directory)
#   -o DIR, --output DIR   where the documents go (default: .dsd)
#   --timeout DURATION     how long the tests of a package may take, such as 2m (default: that of --budget, or 5m)
#   --tags LIST            build with these tags
#   --deps                 check follows calls into the source of other modules
#   --run RE, --skip RE    trace only the tests, or not the tests, that match
#   --budget DURATION      how long check may take, and crash confirm may look for other inputs
#   --random DURATION      also draw random calls for that long
#   -h, --help             this text
#
# If the tests cannot be traced, it goes on without invariants.
#
# Exit status: 0 no crash, 1 crashes found, 2 wrong usage, 3 the analysis could not be carried out.
set -u

here=$(cd "$(dirname "$0")" && pwd)
dir=. out=.dsd timeout='' run='' skip='' random='' tags='' deps='' budget=''
usage() {
	echo "pipeline.sh: $1; see --help" >&2
	exit 2
}
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) sed -n '2,21s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--) shift; break ;;
	--deps) deps=--deps; shift ;;
	-C | --dir | -o | --output | --timeout | --run | --skip | --random | --budget | --tags)
		[ $# -gt 1 ] || usage "$1 needs a value"
		case $1 in
		-C | --dir) dir=$2 ;;
		-o | --output) out=$2 ;;
		--timeout) timeout=$2 ;;
		--run) run=$2 ;;
		--skip) skip=$2 ;;
		--random) random=$2 ;;
		--budget) budget=$2 ;;
		--tags) tags=$2 ;;
		esac
		shift 2
		;;
	-*) usage "unknown option $1" ;;
	*) break ;;
	esac
done
[ $# -eq 0 ] && set -- ./...
[ -d "$dir" ] || usage "-C $dir: no such directory"

bin=$here/bin

# built reports whether the tools are newer than their source: to ask the go command takes longer.
built() {
	oldest=$bin/infer
	for tool in infer check crash; do
		[ -x "$bin/$tool" ] || return 1
		[ "$bin/$tool" -ot "$oldest" ] && oldest=$bin/$tool
	done
	[ -z "$(cd "$here" && find cmd check crash infer internal schemas go.mod go.sum -newer "$oldest" | head -n 1)" ]
}
if ! built; then
	"$here/scripts/deps.sh" || exit 3
	(cd "$here" && go build -tags urfave_cli_no_docs -o bin/ ./cmd/infer ./cmd/check ./cmd/crash) || {
		echo "pipeline.sh: the tools do not build; if z3.h is missing, see scripts/deps.sh" >&2
		exit 3
	}
fi
mkdir -p "$out" || exit 2

# Two runs in one folder would mix their documents.
if command -v flock >/dev/null 2>&1; then
	exec 9>"$out/.lock" || exit 2
	flock -n 9 || usage "another run writes to $out"
fi

# So that the results of an earlier run are not taken for those of a step that fails.
rm -rf "$out/trace.jsonl.gz" "$out/invariants.json" "$out/warnings.json" "$out/crashes.json" \
	"$out/random.json" "$out/tests"

# A signal ends the step that runs, which removes what it left, and then this script.
child=''
trap 'trap - INT TERM; [ -n "$child" ] && kill -TERM $child 2>/dev/null; wait; exit 130' INT TERM

# attempt NAME COMMAND... runs the command; its status is in $code.
attempt() {
	name=$1
	shift
	[ -t 2 ] && printf '\033[K%s ...\r' "$name" >&2
	"$@" 9>&- &
	child=$!
	wait $child
	code=$?
	child=''
	[ -t 2 ] && printf '\033[K' >&2
	return 0
}

# step NAME COMMAND... runs the command, and exits with its status unless that is 0 or 1.
step() {
	attempt "$@"
	[ $code -le 1 ] || { echo "pipeline.sh: $1 failed" >&2; exit $code; }
}

timeout=${timeout:-$budget}
start=$(date +%s)
attempt "infer trace" "$bin/infer" trace -C "$dir" ${tags:+--tags "$tags"} -o "$out/trace.jsonl.gz" ${timeout:+--timeout "$timeout"} \
	${run:+--run "$run"} ${skip:+--skip "$skip"} "$@"
assume='' trace=''
if [ $code -eq 0 ]; then
	step "infer invariants" "$bin/infer" invariants -o "$out/invariants.json" "$out/trace.jsonl.gz"
	assume=$out/invariants.json trace=$out/trace.jsonl.gz
elif [ $code -eq 3 ]; then
	echo "pipeline.sh: the tests cannot be traced: it goes on without invariants" >&2
else
	exit $code
fi
step "check" "$bin/check" -C "$dir" $deps ${budget:+--budget "$budget"} ${tags:+--tags "$tags"} ${assume:+--assume "$assume"} -o "$out/warnings.json" "$@"
step "crash confirm" "$bin/crash" confirm -C "$dir" ${budget:+--budget "$budget"} ${tags:+--tags "$tags"} ${assume:+--assume "$assume"} \
	${trace:+--trace "$trace"} -o "$out/crashes.json" --tests "$out/tests" "$out/warnings.json"
found=$code
if [ -n "$random" ]; then
	step "crash random" "$bin/crash" random -C "$dir" ${tags:+--tags "$tags"} --time "$random" ${assume:+--assume "$assume"} \
		${trace:+--trace "$trace"} -o "$out/random.json" --tests "$out/tests" "$@"
	[ $code -eq 1 ] && found=1
fi
step "crash report" "$bin/crash" report -C "$dir" --warnings "$out/warnings.json" \
	--tests "$out/tests" "$out/crashes.json"
if [ -n "$random" ]; then
	step "crash report" "$bin/crash" report -C "$dir" --tests "$out/tests" "$out/random.json"
fi
echo
echo "$(($(date +%s) - start)) s. To keep a test, copy it into the module and run go test -run." \
	"Documents: $out/"
exit $found
