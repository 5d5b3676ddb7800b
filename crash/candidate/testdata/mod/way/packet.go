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
