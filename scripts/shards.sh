#!/bin/sh
# Traces and checks a module in parts, by GNU parallel: on the processors of this machine or, over ssh, on
# others that see the same folders. A part that was killed is run again when the script is, and no other.
# The documents, DIR/trace.jsonl.gz, DIR/invariants.json and DIR/warnings.json, are those of one run.
#
# usage: scripts/shards.sh [-n N] [-j JOBS] [-S HOST,...] [-C MODULE] -o DIR [packages]      (build first: make)
#
#   -n N     the number of parts (default: 4)
#   -j JOBS  parts at a time on each machine (default: one per processor)
#   -S HOST  run on these machines, as parallel's --sshlogin; ":" is this one
set -eu
bin=$(cd "$(dirname "$0")/../bin" && pwd)
n=4 jobs=100% hosts='' dir=. out=''
usage() {
	echo "shards.sh: $1; see the beginning of the script" >&2
	exit 2
}
while getopts n:j:S:C:o: flag; do
	case $flag in
	n) n=$OPTARG ;;
	j) jobs=$OPTARG ;;
	S) hosts=$OPTARG ;;
	C) dir=$OPTARG ;;
	o) out=$OPTARG ;;
	*) usage "unknown option" ;;
	esac
done
shift $((OPTIND - 1))
[ -n "$out" ] || usage "-o names the folder for the documents"
command -v parallel >/dev/null || { echo "shards.sh: GNU parallel is missing: apt-get install parallel" >&2; exit 3; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
dir=$(cd "$dir" && pwd)

# parts STAGE COMMAND... runs the command for each part that is not done; {} is its number. Status 1 says
# that something was found.
parts() {
	stage=$1
	shift
	seq "$n" | parallel --will-cite --joblog "$out/$stage.log" --resume-failed -j "$jobs" ${hosts:+--sshlogin "$hosts"} \
		"$* || [ \$? -eq 1 ]"
}

parts trace "'$bin/infer' trace -C '$dir' --shard {}/$n -j 1 -o '$out/trace.'{}.jsonl.gz $*"
(
	cd "$out"
	"$bin/infer" merge -o trace.jsonl.gz $(seq -f "trace.%g.jsonl.gz" "$n")
	"$bin/infer" invariants -o invariants.json trace.jsonl.gz
)
parts check "'$bin/check' -C '$dir' --shard {}/$n -j 1 --assume '$out/invariants.json' -o '$out/warnings.'{}.json $*"
cd "$out"
"$bin/check" merge -o warnings.json $(seq -f "warnings.%g.json" "$n") || [ $? -eq 1 ]
