module app

go 1.25

require github.com/crewjam/saml v0.0.0-20190521120225-344d075952c9

require (
	github.com/beevik/etree v1.1.0 // indirect
	github.com/dgrijalva/jwt-go v3.2.0+incompatible // indirect
	github.com/jonboulle/clockwork v0.1.0 // indirect
	github.com/russellhaering/goxmldsig v0.0.0-20180430223755-7acd5e4a6ef7 // indirect
	golang.org/x/crypto v0.0.0-20190308221718-c2843e01d9a2 // indirect
)
