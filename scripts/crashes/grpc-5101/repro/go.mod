module app

go 1.26

require google.golang.org/grpc v1.43.0
