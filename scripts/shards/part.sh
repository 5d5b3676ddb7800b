#!/bin/sh
# Does one part of one stage of the pipeline, or puts the parts of a stage together. What runs many of these,
# on this machine or others that see the same folders, is parallel.sh, slurm.sh, kubernetes.yaml or github.yaml.
#
# usage: part.sh STAGE I/N [packages]      part I of N of the stage: trace, check or confirm
#        part.sh STAGE merge N             all N parts of the stage together
#
# In the environment: MODULE, the folder of the module; OUT, that of the documents; BIN, that of infer, check and
# crash (default: ../../bin); JOBS, how many things a part does at a time (default: 1); TIMEOUT, how long the tests
# of a package may take; BUDGET, how long check may take, and confirm may look for other inputs, in each part.
#
# A part that is done is not done again: its document is written under another name first. OUT has then what
# one run writes: trace.jsonl.gz, invariants.json, warnings.json, crashes.json and, in tests, the tests.
set -eu
BIN=${BIN:-$(cd "$(dirname "$0")/../../bin" && pwd)}
if [ $# -lt 2 ] || [ -z "${MODULE:-}" ] || [ -z "${OUT:-}" ]; then
	echo "part.sh: see the beginning of the script" >&2
	exit 2
fi
stage=$1 part=$2
shift 2
mkdir -p "$OUT/parts" "$OUT/seconds"
export PATH="$BIN:$PATH"

# new FILE: the name under which a document is written first.
new() { echo "$(dirname "$1")/new.$(basename "$1")"; }

# keep FILE COMMAND... runs the command, which writes "$(new FILE)", and gives that its name. Status 1 says that
# something was found. The seconds that it took are kept for simulate.py.
keep() {
	file=$1
	shift
	[ -e "$file" ] && return 0
	start=$(date +%s.%N)
	"$@" || [ $? -eq 1 ] || { code=$?; rm -f "$(new "$file")"; exit $code; }
	echo "$start $(date +%s.%N)" | awk '{ printf "%.2f\n", $2 - $1 }' >"$OUT/seconds/$(basename "$file")"
	mv "$(new "$file")" "$file"
}

# file STAGE I: the document of a part.
file() {
	case $1 in
	trace) echo "$OUT/parts/trace.$2.jsonl.gz" ;;
	check) echo "$OUT/parts/warnings.$2.json" ;;
	confirm) echo "$OUT/parts/crashes.$2.json" ;;
	*) echo "part.sh: no stage $1 (want trace, check or confirm)" >&2; exit 2 ;;
	esac
}

out=$(file "$stage" "${part%/*}")
if [ "$part" = merge ]; then
	# shellcheck disable=SC2046 # names of our own
	set -- $(for i in $(seq "$1"); do basename "$(file "$stage" "$i")"; done)
	cd "$OUT/parts"
	case $stage in
	trace)
		keep "$OUT/trace.jsonl.gz" infer merge -o "$(new "$OUT/trace.jsonl.gz")" "$@"
		keep "$OUT/invariants.json" infer invariants -o "$(new "$OUT/invariants.json")" "$OUT/trace.jsonl.gz"
		;;
	check) keep "$OUT/warnings.json" check merge -o "$(new "$OUT/warnings.json")" "$@" ;;
	confirm) keep "$OUT/crashes.json" crash merge -o "$(new "$OUT/crashes.json")" "$@" ;;
	esac
	exit 0
fi
case $stage in
trace)
	keep "$out" infer trace -C "$MODULE" -o "$(new "$out")" --shard "$part" -j "${JOBS:-1}" ${TIMEOUT:+--timeout "$TIMEOUT"} "$@"
	;;
check)
	keep "$out" check -C "$MODULE" -o "$(new "$out")" --shard "$part" -j "${JOBS:-1}" ${BUDGET:+--budget "$BUDGET"} \
		--assume "$OUT/invariants.json" "$@"
	;;
confirm)
	keep "$out" crash confirm -C "$MODULE" -o "$(new "$out")" --shard "$part" -j "${JOBS:-1}" ${BUDGET:+--budget "$BUDGET"} \
		--assume "$OUT/invariants.json" --trace "$OUT/trace.jsonl.gz" --tests "$OUT/tests" "$OUT/warnings.json"
	;;
esac
