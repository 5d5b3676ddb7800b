// Package confine runs a program so that it can do no harm: it writes below one directory only, has
// no network, starts no processes and signals no others, sees nothing of the user's environment,
// and uses a bounded amount of memory and disk. No privileges are needed for that.
//
// The running executable starts itself again, as Command arranges; Init, first in main, gives up
// what the rules forbid and then becomes the program (execve). The restrictions are inherited and
// cannot be lifted:
//
//	files      Landlock: changes below the directory only (confine_linux.go);
//	           seccomp: no changes of owner, mode and times
//	network    seccomp: no sockets (seccomp_linux.go)
//	processes  seccomp: no fork and no clone, but for threads; signals to itself only
//	memory     RLIMIT_DATA; RLIMIT_FSIZE bounds each file that is written
//	environ    the command gets a new environment
//
// Reading files is not restricted. Systems other than Linux, processors other than amd64 and arm64,
// and kernels without Landlock are not supported: Unsupported says why, and Command refuses unless
// the rules leave the program unconfined.
package confine
