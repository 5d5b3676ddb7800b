module app

go 1.25

require github.com/hashicorp/hcl/v2 v2.3.0

require (
	github.com/agext/levenshtein v1.2.1 // indirect
	github.com/apparentlymart/go-textseg v1.0.0 // indirect
	github.com/google/go-cmp v0.3.1 // indirect
	github.com/mitchellh/go-wordwrap v0.0.0-20150314170334-ad45545899c7 // indirect
	github.com/zclconf/go-cty v1.2.0 // indirect
	golang.org/x/text v0.3.2 // indirect
)
