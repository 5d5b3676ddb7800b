module app

go 1.25

require github.com/opentelekomcloud/gophertelekomcloud v0.5.0

require gopkg.in/yaml.v2 v2.3.0 // indirect
