package m

import "example.com/dep"

func Start(n int) int { return dep.Half(n) }
