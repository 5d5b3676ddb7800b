// Package cmdline holds what the commands infer, check and crash share: exit statuses, flags, and
// documents read from and written to files or the standard streams.
//
// A command's action returns an error; Main turns it into a line on standard error and an exit
// status. The standard streams are those of the cli.App, so a test can run a command in its own
// process: it sets Reader, Writer and ErrWriter and passes the arguments to Main. Nothing here
// reads os.Args, os.Stdin or os.Stdout. Progress is shown on os.Stderr, where it may be a terminal. Of
// the environment, DSDCACHE and DSDCACHEPROG count, and for runs that were made before the variables that
// tests look at; --tags and its like change GOFLAGS.
//
// The files, in reading order:
//
//	main.go             exit statuses, and running an app
//	flags.go            flags and arguments that commands have in common
//	man.go              manual pages
//	config.go           the file with default values of flags
//	files.go            input and output
//	progress.go         what a command is doing
//	cache.go, rerun.go  the user's cache, and runs that were made before
package cmdline
