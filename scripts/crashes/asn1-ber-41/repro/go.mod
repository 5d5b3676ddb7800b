module app

go 1.26

require github.com/go-asn1-ber/asn1-ber v1.5.4
