package main

import (
	"fmt"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

func main() {
	var d layers.DNS
	data := []byte{0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}
	err := d.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
	fmt.Println(d.Questions, err)
}
