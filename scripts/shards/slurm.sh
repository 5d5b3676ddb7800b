#!/bin/sh
# Runs the pipeline in parts as Slurm jobs: an array for each stage, on nodes that see the same folders, and a job
# that puts its parts together. A part that fails or is killed with its node is queued again, twice at most; when
# the script is run again, only what is not done is. The documents in DIR are those of one run.
#
# usage: slurm.sh [-n N] [-c CPUS] [-m MEM] [-p PARTITION] [-C MODULE] -o DIR [packages]      (build first: make)
#
#   -n N      the number of parts (default: 4)
#   -c CPUS   the processors of a part (default: 1)
#   -m MEM    the memory of a part, such as 4G (default: the cluster's)
set -eu
part=$(cd "$(dirname "$0")" && pwd)/part.sh
n=4 cpus=1 mem='' partition='' dir=. out=''
usage() {
	echo "slurm.sh: $1; see the beginning of the script" >&2
	exit 2
}
while getopts n:c:m:p:C:o: flag; do
	case $flag in
	n) n=$OPTARG ;;
	c) cpus=$OPTARG ;;
	m) mem=$OPTARG ;;
	p) partition=$OPTARG ;;
	C) dir=$OPTARG ;;
	o) out=$OPTARG ;;
	*) usage "unknown option" ;;
	esac
done
shift $((OPTIND - 1))
[ -n "$out" ] || usage "-o names the folder for the documents"
command -v sbatch >/dev/null || { echo "slurm.sh: sbatch is missing: this is no machine of a Slurm cluster" >&2; exit 3; }
mkdir -p "$out"
OUT=$(cd "$out" && pwd)
MODULE=$(cd "$dir" && pwd)
JOBS=$cpus
export MODULE OUT JOBS
mkdir -p "$OUT/log"

# submit NAME OPTIONS... queues what standard input says as a job after the one of before, and prints its number.
before=''
submit() {
	name=$1
	shift
	sbatch --parsable --requeue --job-name "dsd-$name" --cpus-per-task "$cpus" ${mem:+--mem "$mem"} ${partition:+--partition "$partition"} \
		${before:+--dependency "afterok:$before"} --kill-on-invalid-dep=yes --output "$OUT/log/$name.%a.%j.txt" "$@"
}

for stage in trace check confirm; do
	before=$(
		submit "$stage" --array "1-$n" <<-EOF
			#!/bin/sh
			try() { '$part' $stage \$SLURM_ARRAY_TASK_ID/$n $*; }
			try || try || try
		EOF
	)
	before=$(
		submit "$stage-merge" <<-EOF
			#!/bin/sh
			'$part' $stage merge $n
		EOF
	)
done
echo "queued: squeue; logs in $OUT/log" >&2

# srun's and sbatch's waiting need a connection for hours; asking does not.
while squeue --noheader --jobs "$before" 2>/dev/null | grep -q .; do sleep 2; done
[ -e "$OUT/crashes.json" ] || { echo "slurm.sh: not all jobs ended well: see $OUT/log, then run the script again" >&2; exit 3; }
