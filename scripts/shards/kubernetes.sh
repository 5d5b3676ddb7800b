#!/bin/sh
# Runs the pipeline in parts as Kubernetes Indexed Jobs, one after the other: kubernetes.yaml is what is applied.
# The module is in the folder module of a volume that many nodes can mount; the documents come to its folder out,
# and are those of one run. When the script is run again, only what is not done is.
#
# usage: kubernetes.sh [-n N] [-P PARALLEL] [-c CPUS] [-m MEMORY] [-i IMAGE] [-v CLAIM] [--print] [packages]
#
#   -n N         the number of parts (default: 16)
#   -P PARALLEL  parts at a time (default: all)
#   -c CPUS, -m MEMORY    of a part (default: 1, 4Gi)
#   -i IMAGE     an image with Go, gcc, libz3 and this tree, built, in /opt/dsd (default: dsd)
#   -v CLAIM     the claim of the volume (default: dsd)
#   --print      print the jobs instead
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PARTS=16 PARALLEL='' CPUS=1 MEMORY=4Gi IMAGE=dsd CLAIM=dsd print=''
while [ $# -gt 0 ]; do
	case $1 in
	-n) PARTS=$2; shift 2 ;;
	-P) PARALLEL=$2; shift 2 ;;
	-c) CPUS=$2; shift 2 ;;
	-m) MEMORY=$2; shift 2 ;;
	-i) IMAGE=$2; shift 2 ;;
	-v) CLAIM=$2; shift 2 ;;
	--print) print=1; shift ;;
	-*) echo "kubernetes.sh: unknown option $1; see the beginning of the script" >&2; exit 2 ;;
	*) break ;;
	esac
done
[ $# -gt 0 ] || set -- ./...

# jobs STAGE prints the jobs of a stage.
jobs() {
	sed -e "s|\${STAGE}|$1|g" -e "s|\${PARTS}|$PARTS|g" -e "s|\${PARALLEL}|${PARALLEL:-$PARTS}|g" -e "s|\${CPUS}|$CPUS|g" \
		-e "s|\${MEMORY}|$MEMORY|g" -e "s|\${IMAGE}|$IMAGE|g" -e "s|\${CLAIM}|$CLAIM|g" -e "s|\${PACKAGES}|$packages|g" \
		"$here/kubernetes.yaml"
}
packages=$*
for stage in trace check confirm; do
	if [ -n "$print" ]; then
		jobs $stage
		echo ---
		continue
	fi
	# The first job of the two, then, when it is done, the second.
	for job in "dsd-$stage" "dsd-$stage-merge"; do
		kubectl delete job "$job" --ignore-not-found >/dev/null
		jobs $stage | awk -v want="  name: $job" 'BEGIN { RS = "---\n" } index($0, want "\n")' | kubectl apply -f - >&2
		kubectl wait --for=condition=complete --timeout=-1s "job/$job" >&2 &
		complete=$!
		kubectl wait --for=condition=failed --timeout=-1s "job/$job" >/dev/null 2>&1 &
		failed=$!
		while kill -0 $complete 2>/dev/null && kill -0 $failed 2>/dev/null; do sleep 2; done
		if kill -0 $complete 2>/dev/null; then
			kill $complete
			echo "kubernetes.sh: $job failed: kubectl logs job/$job" >&2
			exit 3
		fi
		kill $failed 2>/dev/null || true
	done
done
