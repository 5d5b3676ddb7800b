module app

go 1.25

require github.com/nacos-group/nacos-sdk-go/v2 v2.2.5

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.6.0 // indirect
	go.uber.org/zap v1.21.0 // indirect
	gopkg.in/natefinch/lumberjack.v2 v2.0.0 // indirect
)
