module app

go 1.25

require github.com/rwcarlsen/goexif v0.0.0-20190318171057-76e3344f7516
