package attacks

import (
	"net"
	"path/filepath"
	"syscall"
)

// The filter of system calls refuses to make sockets.

func dial(network, address string) error {
	c, err := net.Dial(network, address)
	if err == nil {
		c.Close()
	}
	return err
}

func listen(network, address string) error {
	l, err := net.Listen(network, address)
	if err == nil {
		l.Close()
	}
	return err
}

func socket(domain, kind, protocol int) error {
	_, err := syscall.Socket(domain, kind, protocol)
	return err
}

// Dial connects to a server of this machine.
func Dial() {
	if through(func() error { return dial("tcp", address) }) {
		panic("got through")
	}
}

// DialPacket sends a packet.
func DialPacket() {
	if through(func() error { return dial("udp", "127.0.0.1:53") }) {
		panic("got through")
	}
}

// Lookup tells a name server what it has read.
func Lookup() {
	if through(func() error { _, err := net.LookupHost("secret.example.com"); return err }) {
		panic("got through")
	}
}

// Listen waits for orders.
func Listen() {
	if through(func() error { return listen("tcp", "127.0.0.1:0") }) {
		panic("got through")
	}
}

// ListenAbstract waits for orders of programs of this machine.
func ListenAbstract() {
	if through(func() error { return listen("unix", "@dsd") }) {
		panic("got through")
	}
}

// ListenOutside makes a socket with a name.
func ListenOutside() {
	if through(func() error { return listen("unix", filepath.Join(outside, "socket")) }) {
		panic("got through")
	}
}

// DialUnix connects to a program of this machine, as the one that runs containers.
func DialUnix() {
	if through(func() error { return dial("unix", "/run/dbus/system_bus_socket") }) {
		panic("got through")
	}
}

// SocketRaw reads all packets.
func SocketRaw() {
	if through(func() error { return socket(syscall.AF_INET, syscall.SOCK_RAW, 1) }) {
		panic("got through")
	}
}

// SocketPacket reads them below the network's addresses.
func SocketPacket() {
	if through(func() error { return socket(syscall.AF_PACKET, syscall.SOCK_RAW, 0) }) {
		panic("got through")
	}
}

// SocketNetlink asks the kernel about the network.
func SocketNetlink() {
	if through(func() error { return socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0) }) {
		panic("got through")
	}
}

// SocketVM connects to the host of a virtual machine.
func SocketVM() {
	if through(func() error { return socket(40, syscall.SOCK_STREAM, 0) }) {
		panic("got through")
	}
}

// SocketCrypto uses the kernel's cryptography, which had faults.
func SocketCrypto() {
	if through(func() error { return socket(38, syscall.SOCK_SEQPACKET, 0) }) {
		panic("got through")
	}
}

// SocketPair makes a pair, over which files can be sent.
func SocketPair() {
	if through(func() error { _, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); return err }) {
		panic("got through")
	}
}
