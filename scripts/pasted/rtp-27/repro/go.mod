module app

go 1.25

require github.com/pion/rtp v1.1.4
