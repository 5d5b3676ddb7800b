package feedback

import "time"

const (
	// MinBatch and maxBatch bound the number of candidates that are run at a time.
	MinBatch = 8
	maxBatch = 4096
	// batchTime is the time that a batch should take at most.
	batchTime = 20 * time.Millisecond
)

// NextBatch returns the size of the batch after one that took a time: half the size if it took more
// than batchTime, else twice the size.
func NextBatch(size int, took time.Duration) int {
	if took > batchTime {
		return max(size/2, MinBatch)
	}
	return min(size*2, maxBatch)
}
