#!/bin/sh
# Sets up a Slurm cluster of one node on this machine, runs a command there, and takes the cluster down again:
# to try slurm.sh. It must run as root; on Debian, it installs slurm-wlm.
#
# usage: slurm-here.sh COMMAND...
set -eu
[ $# -gt 0 ] || { echo "usage: slurm-here.sh COMMAND..." >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "slurm-here.sh: must run as root" >&2; exit 3; }
if ! command -v slurmctld || ! command -v slurmd || ! command -v munged; then
	apt-get install -y --no-install-recommends slurm-wlm || exit 3
fi >/dev/null
dir=$(mktemp -d)
chmod 755 "$dir"
host=$(hostname -s)
take_down() {
	for daemon in slurmd slurmctld munged; do
		if [ -s "$dir/$daemon.pid" ]; then kill "$(cat "$dir/$daemon.pid")" 2>/dev/null || true; fi
	done
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -e "$dir/slurmd.pid" ] || [ -e "$dir/slurmctld.pid" ] || break
		sleep 0.5
	done
	rm -rf "$dir"
}
trap take_down EXIT
trap 'exit 130' INT TERM

# Munge signs what the daemons say to each other. Its folders must be its user's.
mkdir "$dir/munge"
dd if=/dev/urandom bs=64 count=1 of="$dir/munge/key" 2>/dev/null
chmod 400 "$dir/munge/key"
chown -R munge "$dir/munge"
su -s /bin/sh munge -c "exec /usr/sbin/munged --key-file='$dir/munge/key' --socket='$dir/munge/socket' \
	--pid-file='$dir/munge/pid' --log-file='$dir/munge/log' --seed-file='$dir/munge/seed'"
ln -s munge/pid "$dir/munged.pid"

mkdir "$dir/state" "$dir/spool"
cat >"$dir/slurm.conf" <<-EOF
	ClusterName=here
	SlurmctldHost=$host(127.0.0.1)
	SlurmUser=root
	SlurmctldPort=16817
	SlurmdPort=16818
	AuthType=auth/munge
	AuthInfo=socket=$dir/munge/socket
	CryptoType=crypto/munge
	StateSaveLocation=$dir/state
	SlurmdSpoolDir=$dir/spool
	SlurmctldPidFile=$dir/slurmctld.pid
	SlurmdPidFile=$dir/slurmd.pid
	SlurmctldLogFile=$dir/slurmctld.log
	SlurmdLogFile=$dir/slurmd.log
	ProctrackType=proctrack/pgid
	TaskPlugin=task/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	MpiDefault=none
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	SchedulerParameters=sched_interval=1,batch_sched_delay=0
	MinJobAge=300
	ReturnToService=2
	NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
	PartitionName=here Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
SLURM_CONF=$dir/slurm.conf
export SLURM_CONF
slurmctld
slurmd
for _ in $(seq 60); do
	sinfo --noheader --states idle 2>/dev/null | grep -q "$host" && break
	sleep 0.5
done
sinfo --noheader --states idle 2>/dev/null | grep -q "$host" || {
	echo "slurm-here.sh: the node does not come up:" >&2
	tail -n 5 "$dir/slurmctld.log" "$dir/slurmd.log" >&2
	exit 3
}
"$@"
