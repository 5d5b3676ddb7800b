package check

// mode and table are those of the program; this file is replaced.
const mode = "log"

var table []invariant
