//go:build go1.21 && !go1.23

package keep

func outcome(string) {}

func watch(string) {}
