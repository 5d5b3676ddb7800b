package confine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// The kernel can ask another process what to do about a system call; see seccomp_unotify(2). A watched program asks
// about those that the filter refuses. The answer is always no; what matters is the question, since a program may
// crash because it was refused something.
//
// The file through which the kernel asks is made with the filter, by the program before it becomes what it is to be
// (announce). It comes here over a socket. Where that is impossible, the filter refuses without asking.

// Watch makes a command of Command that has not been started say what it is refused. The function returned ends
// the watch, once the program has ended, and returns the names of the calls that were refused, each once.
func Watch(cmd *exec.Cmd) (refused func() []string) {
	none := func() []string { return nil }
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return none
	}
	theirs := os.NewFile(uintptr(pair[1]), "watch")
	cmd.Env = append(cmd.Env, watchVariable+"="+strconv.Itoa(3+len(cmd.ExtraFiles)))
	cmd.ExtraFiles = append(cmd.ExtraFiles, theirs)
	w := &watcher{end: make(chan struct{})}
	w.running.Go(func() { w.watch(pair[0]) })
	var once sync.Once
	return func() []string {
		once.Do(func() {
			theirs.Close() // otherwise the watch would wait forever for a program that was never started
			close(w.end)
			w.running.Wait()
		})
		return w.names
	}
}

// watchVariable is the environment variable with the descriptor of the socket.
const watchVariable = "DSD_WATCH"

// watcher answers the kernel's questions about one program.
type watcher struct {
	end     chan struct{}
	running sync.WaitGroup
	names   []string
}

const (
	seccompSetModeFilter = 1
	flagNewListener      = 1 << 3     // SECCOMP_FILTER_FLAG_NEW_LISTENER
	notifyReceive        = 0xc0502100 // SECCOMP_IOCTL_NOTIF_RECV
	notifySend           = 0xc0182101 // SECCOMP_IOCTL_NOTIF_SEND
	retNotify            = 0x7fc00000 // SECCOMP_RET_USER_NOTIF
)

// sysSeccomp is the number of the system call, by processor.
var sysSeccomp = map[string]uintptr{"amd64": 317, "arm64": 277}[runtime.GOARCH]

// notification is struct seccomp_notif, and answer struct seccomp_notif_resp.
type notification struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// pollFD is struct pollfd.
type pollFD struct {
	fd              int32
	events, revents int16
}

const (
	pollIn  = 0x1
	pollHup = 0x10
)

// watch answers what is asked through the file that comes over a socket.
func (w *watcher) watch(socket int) {
	defer syscall.Close(socket)
	if !w.wait(socket) {
		return
	}
	var data [1]byte
	control := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := syscall.Recvmsg(socket, data[:], control, syscall.MSG_CMSG_CLOEXEC)
	if err != nil || n == 0 {
		return
	}
	messages, err := syscall.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) == 0 {
		return
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return
	}
	defer syscall.Close(fds[0])
	seen := map[int32]bool{}
	for w.wait(fds[0]) {
		var q notification
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fds[0]), notifyReceive, uintptr(unsafe.Pointer(&q))); errno != 0 {
			continue // the program has ended meanwhile, or was interrupted
		}
		if !seen[q.number] {
			seen[q.number] = true
			w.names = append(w.names, nameOf(q.number))
		}
		a := answer{id: q.id, errno: -int32(syscall.EPERM)}
		syscall.Syscall(syscall.SYS_IOCTL, uintptr(fds[0]), notifySend, uintptr(unsafe.Pointer(&a)))
	}
}

// wait waits until a file can be read. It reports false if that will not be any more, or when the watch ends.
func (w *watcher) wait(fd int) bool {
	for {
		p := pollFD{fd: int32(fd), events: pollIn}
		timeout := syscall.Timespec{Nsec: 50e6}
		n, _, _ := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
		if n == 1 && p.revents&pollIn != 0 {
			return true
		}
		if n == 1 && p.revents&pollHup != 0 {
			return false
		}
		select {
		case <-w.end:
			return false
		default:
		}
	}
}

// nameOf returns the name of a system call.
func nameOf(number int32) string {
	if name := callNames[number]; name != "" {
		return name
	}
	return fmt.Sprintf("system call %d", number)
}

// announce installs a filter that asks, and sends the file for that over a socket. It reports false if the kernel
// refuses; then no filter is installed.
func announce(socket int, prog unsafe.Pointer) (ok bool) {
	fd, _, errno := syscall.RawSyscall(sysSeccomp, seccompSetModeFilter, flagNewListener, uintptr(prog))
	if errno != 0 {
		return false
	}
	// Whatever comes of this, the file is closed when this process becomes another one; without it, calls fail.
	syscall.Sendmsg(socket, []byte{0}, syscall.UnixRights(int(fd)), nil, 0)
	return true
}

// watchSocket takes the descriptor of the socket out of an environment; -1 if there is none.
func watchSocket(env []string) (socket int, rest []string) {
	socket = -1
	for _, v := range env {
		if text, ok := strings.CutPrefix(v, watchVariable+"="); ok {
			if n, err := strconv.Atoi(text); err == nil {
				socket = n
			}
			continue
		}
		rest = append(rest, v)
	}
	return socket, rest
}
