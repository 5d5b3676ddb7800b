// Package cache keeps results on disk from one run of a command to the next, as the go command's build
// cache does: under the digest of all that a result depends on, so that nothing in it is ever out of
// date, and removing any of it costs time only.
//
// In: a digest and data. Out: the data that was kept under that digest, or nothing. Any number of
// processes may use one folder: an entry is written under another name and then renamed, and each
// begins with a digest of its data, so that a damaged one counts as absent.
//
// The folder is $DSDCACHE, an absolute path, or dsd in the user's cache folder; with DSDCACHE=off, or
// without either, nothing is kept.
package cache
