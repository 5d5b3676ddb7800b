package main

import (
	"fmt"

	"github.com/mochi-mqtt/server/v2/packets"
)

func main() {
	p := packets.Packet{
		ProtocolVersion: 5,
		FixedHeader:     packets.FixedHeader{Type: packets.Subscribe, Qos: 1, Remaining: 6},
	}
	fmt.Println(p.SubscribeDecode([]byte{0, 1, 0, 0, 1, 'a'}))
}
