module app

go 1.26

require github.com/mochi-mqtt/server/v2 v2.7.9
