module app

go 1.25

require github.com/gogf/gf/v2 v2.0.6

require (
	go.opentelemetry.io/otel v1.0.0 // indirect
	go.opentelemetry.io/otel/trace v1.0.0 // indirect
)
