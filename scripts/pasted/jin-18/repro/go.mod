module app

go 1.25

require github.com/ecoshub/jin v0.0.0-20211129203744-41c876935edc
