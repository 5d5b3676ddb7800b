module app

go 1.25

require github.com/alecthomas/participle v0.2.0
