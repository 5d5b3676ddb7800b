// Package report decides what is reported of what crashed: the policy [DSD 4.3, 5.4, 6.4.3] and the grouping by stack.
package report
