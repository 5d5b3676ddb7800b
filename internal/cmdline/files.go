package cmdline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

// Input opens a document and returns the name that errors should call it. The names "" and "-" mean
// standard input. The caller must close the reader. Where it may wait for another process, as for
// standard input, reading ends with the error of c.Context when that ends.
func Input(c *cli.Context, name string) (io.ReadCloser, string, error) {
	if name == "" || name == "-" {
		return interruptible(c.Context, io.NopCloser(c.App.Reader)), "standard input", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "", Usagef("%v", err)
	}
	st, err := f.Stat()
	switch {
	case err == nil && st.IsDir():
		f.Close()
		return nil, "", Usagef("%s: is a directory, want a document", name)
	case err == nil && !st.Mode().IsRegular():
		return interruptible(c.Context, f), name, nil
	}
	return f, name, nil
}

// interruptible returns a reader of what r yields. Its Read ends when ctx does, whereas that of r may
// wait for ever.
func interruptible(ctx context.Context, r io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	return &interruptibleReader{out, r}
}

type interruptibleReader struct {
	*io.PipeReader
	source io.Closer
}

func (r *interruptibleReader) Close() error {
	r.PipeReader.Close() // ends the copying, unless that waits for the source
	return r.source.Close()
}

// Document reads a document, named as for Input, with one of the readers of package schemas. It
// also returns the name that errors should call it.
func Document[T any](
	c *cli.Context, name string, read func(io.Reader, string) (T, error),
) (doc T, shown string, err error) {
	in, shown, err := Input(c, name)
	if err != nil {
		return doc, shown, err
	}
	defer in.Close()
	if doc, err = read(in, shown); err != nil {
		return doc, shown, Usagef("%v", err)
	}
	return doc, shown, nil
}

// Parts reads the documents that a command is to put together into the file of -o: one for each argument. kind
// is what they are called, such as "warnings".
func Parts[T any](c *cli.Context, kind string, read func(io.Reader, string) (T, error)) (docs []T, err error) {
	if err := CheckOutput(c.String("o")); err != nil {
		return nil, err
	}
	if c.Args().Len() == 0 {
		return nil, Usagef("merge: no arguments, want %s documents", kind)
	}
	for _, name := range c.Args().Slice() {
		doc, _, err := Document(c, name, read)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// CheckOutput returns an error if Output could not write to the file. Commands call it before they
// start work.
func CheckOutput(name string) error {
	if name == "" || name == "-" {
		return nil
	}
	dir := filepath.Dir(name)
	if st, err := os.Stat(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-o %s: %w", name, err)
	} else if err != nil {
		return Usagef("-o %s: the directory %s does not exist: make it first", name, dir)
	} else if !st.IsDir() {
		return Usagef("-o %s: %s is not a directory", name, dir)
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return Usagef("-o %s: is a directory, want the name of a file", name)
	}
	return nil
}

// Output calls write and puts what it wrote into the named file, or on standard output for "" and
// "-". If write fails, the file is left as it was and standard output gets nothing: a file is
// replaced by renaming a temporary one. A device or a pipe is written to, not replaced.
func Output(c *cli.Context, name string, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		var buf bytes.Buffer
		if err := write(&buf); err != nil {
			return err
		}
		_, err := c.App.Writer.Write(buf.Bytes())
		return err
	}
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return overwrite(name, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return Usagef("-o %s: %v", name, err)
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("-o %s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}

// overwrite writes to a device or a pipe.
func overwrite(name string, write func(io.Writer) error) error {
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return Usagef("-o %s: %v", name, err)
	}
	defer f.Close()
	_, err = f.Write(buf.Bytes())
	return err
}
