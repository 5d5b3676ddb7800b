#!/bin/sh
# Runs the pipeline in parts by GNU parallel: on the processors of this machine or, over ssh, on others that see
# the same folders. A part that was killed is run again when the script is, and no other. The documents in DIR,
# trace.jsonl.gz, invariants.json, warnings.json and crashes.json, are those of one run.
#
# usage: parallel.sh [-n N] [-j JOBS] [-S HOST,...] [-C MODULE] -o DIR [packages]      (build first: make)
#
#   -n N     the number of parts (default: 4)
#   -j JOBS  parts at a time on each machine (default: one per processor)
#   -S HOST  run on these machines, as parallel's --sshlogin; ":" is this one
set -eu
part=$(cd "$(dirname "$0")" && pwd)/part.sh
n=4 jobs=100% hosts='' dir=. out=''
usage() {
	echo "parallel.sh: $1; see the beginning of the script" >&2
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
command -v parallel >/dev/null || { echo "parallel.sh: GNU parallel is missing: apt-get install parallel" >&2; exit 3; }
mkdir -p "$out"
OUT=$(cd "$out" && pwd)
MODULE=$(cd "$dir" && pwd)
export MODULE OUT

for stage in trace check confirm; do
	seq "$n" | parallel --will-cite -j "$jobs" ${hosts:+--sshlogin "$hosts"} \
		"MODULE='$MODULE' OUT='$OUT' JOBS=1 '$part' $stage {}/$n $*"
	"$part" "$stage" merge "$n"
done
