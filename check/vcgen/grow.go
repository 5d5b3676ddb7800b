package vcgen

import (
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
)

// grow returns the capacity of a slice that append allocates. It is exact if the capacity before and
// the length afterwards are known; otherwise it is just enough, since the solver would spend most of
// its time on the rules.
func (e *executor) grow(c *ir.Grow, s *state) *logic.Term {
	length := e.subst(c.Len, s)
	n, known := length.Const()
	old, knownOld := e.subst(c.Cap, s).Const()
	if !known || !knownOld || n <= old || n > maxGrown {
		return length
	}
	return e.b.Const(logic.Int, growth(n, old, uint64(c.Size), c.Pointers, uint64(c.Word)))
}

// maxGrown is the length up to which the growth of slices is followed.
const maxGrown = 1 << 32

// sizeClasses are the sizes of small objects, in bytes (internal/runtime/gc/sizeclasses.go).
var sizeClasses = []uint64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240,
	256, 288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536,
	1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728,
	10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

// growth returns the capacity of a slice of elements of a size in bytes, with or without pointers, that
// had capacity old and grows to length n, as runtime.growslice computes it for slices on the heap of a
// platform with words of a size in bytes.
func growth(n, old, size uint64, pointers bool, word uint64) uint64 {
	if size == 0 {
		return n
	}
	const threshold = 256
	capacity := 2 * old
	switch {
	case n > 2*old:
		capacity = n
	case old >= threshold:
		for capacity = old; capacity < n; {
			capacity += (capacity + 3*threshold) / 4
		}
	}
	return roundUp(capacity*size, pointers, word) / size
}

// roundUp returns the size in bytes of the memory for an object of a size (runtime.roundupsize).
func roundUp(size uint64, pointers bool, word uint64) uint64 {
	const header, page = 8, 8192
	if size > sizeClasses[len(sizeClasses)-1]-header {
		return (size + page - 1) / page * page
	}
	extra := uint64(0)
	if pointers && size > word*8*word {
		extra = header
	}
	i, _ := slices.BinarySearch(sizeClasses, size+extra)
	return sizeClasses[i] - extra
}
