module app

go 1.25

require github.com/google/gopacket v1.1.19
