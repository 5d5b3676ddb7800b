package main

import (
	"fmt"

	ber "github.com/go-asn1-ber/asn1-ber"
)

func main() {
	fmt.Println(ber.DecodePacketErr([]byte{0x09, 0x02, 0x85, 0x30}))
}
