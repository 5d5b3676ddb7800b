//go:build show

package attacks

// show reports whether each attempt is only shown, by its panic, and not made.
const show = true
