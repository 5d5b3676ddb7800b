// Package format writes warnings and crashes for other programs: CI services, editors, viewers.
//
// A warning or a crash becomes a Finding (finding.go), and a Report of findings is written in one of the formats:
//
//	sarif        SARIF 2.1.0, which code hosts and editors show (sarif.go)
//	github       annotations of a pull request, as workflow commands (github.go)
//	codeclimate  a list of issues, GitLab's code quality report (codeclimate.go)
//	checkstyle   Checkstyle's XML, which many tools read (checkstyle.go)
//	junit        a test case per finding, which every CI service shows (junit.go)
//	jsonl        the objects of the document, one per line (jsonl.go)
//	html         a page for people, in one file (html.go)
//
// Paths are relative to the directory in which the command runs, if the module is in it (source.go).
//
// Names, messages and sources are whatever the testee has in them. Each format escapes what means something in it, so
// that no text can end the place it stands in.
package format
