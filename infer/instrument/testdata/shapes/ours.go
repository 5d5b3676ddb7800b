package shapes

// A file that uses names of ours is left alone.
func ours() (_dsd_x int) { return 0 }
