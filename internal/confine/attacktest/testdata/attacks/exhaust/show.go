//go:build show

package exhaust

// show reports whether each attempt is only shown, by its panic, and not made.
const show = true
