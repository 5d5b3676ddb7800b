// Package cmdline has what the three commands do alike: exit statuses, documents in and out, interruption.
//
// A command's work returns an error; Main turns it into one line on standard error and the exit status.
package cmdline
