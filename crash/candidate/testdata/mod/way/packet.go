package way

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// Unpack reads a packet: its checksum, a magic number, the length of its name, the name, and a byte.
func Unpack(text string) byte {
	packet := []byte(text)
	if len(packet) < 12 || !bytes.Equal(packet[4:8], binary.LittleEndian.AppendUint32(nil, 0xfeedc0de)) {
		return 0
	}
	size := binary.BigEndian.Uint16(packet[8:])
	if int(size)+10 !=
		len(packet) {
		return 0
	}
	if crc32.ChecksumIEEE(packet[4:]) != // as the sender computed it
		binary.BigEndian.Uint32(packet) {
		return 0
	}
	return packet[10+size] // the byte
}

// Depth calls itself in two lines, behind a condition that compares what a call returns.
func Depth(text string) int {
	if bytes.Count([]byte(text), []byte("(")) == 0 {
		return 0
	}
	if text[0] == '[' {
		return 1 + Depth(text[1:]) // the outer call
	}
	return int(text[1:][4]) // the innermost frame
}
