package attacks

// What is attacked. Package attacktest writes this file anew.
const (
	outside = "/nowhere"    // a directory in which the file precious holds "gold"
	home    = "/nowhere"    // the user's home directory
	address = "127.0.0.1:9" // of a listener
	owner   = 1             // a process of the user
	cache   = "/nowhere"    // the module cache
	goroot  = "/nowhere"
	module  = "/nowhere" // this directory
)
