package cache

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A prog is a process that keeps entries elsewhere, and speaks the go command's GOCACHEPROG protocol: requests
// and answers are JSON objects on its standard input and output; the data of a put follows its request as a
// JSON string. It may be used concurrently.
type prog struct {
	cmd *exec.Cmd
	// writing guards in: a request and its data are not to be torn apart.
	writing sync.Mutex
	in      io.WriteCloser
	// mu guards what follows.
	mu      sync.Mutex
	last    int64
	waiting map[int64]chan answer
	can     map[string]bool // the commands that it knows
	done    bool            // nothing more is answered
}

// request is what the process is asked; data of type []byte is base64.
type request struct {
	ID       int64
	Command  string
	ActionID []byte `json:",omitempty"`
	OutputID []byte `json:",omitempty"`
	BodySize int64  `json:",omitempty"`
}

// answer is what it answers. The first one has the ID 0, and the commands that it knows.
type answer struct {
	ID            int64
	Err           string
	KnownCommands []string
	Miss          bool
	Size          int64
	DiskPath      string
}

// progPatience is how long the process may take to begin, for an answer, and to end.
const progPatience = 30 * time.Second

// startProg starts a command, with arguments after spaces.
func startProg(command string) (*prog, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	p := &prog{cmd: exec.Command(words[0], words[1:]...), waiting: map[int64]chan answer{}, can: map[string]bool{}}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	first := make(chan answer, 1)
	p.waiting[0] = first
	go p.read(out)
	a, ok := wait(first)
	if !ok {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		return nil, fmt.Errorf("%s does not speak the protocol of GOCACHEPROG", words[0])
	}
	for _, c := range a.KnownCommands {
		p.can[c] = true
	}
	return p, nil
}

// wait returns an answer; ok is false if none comes.
func wait(c chan answer) (a answer, ok bool) {
	select {
	case a, ok = <-c:
		return a, ok
	case <-time.After(progPatience):
		return a, false
	}
}

// read passes answers on to those who wait for them.
func (p *prog) read(out io.Reader) {
	for dec := json.NewDecoder(bufio.NewReader(out)); ; {
		var a answer
		err := dec.Decode(&a)
		p.mu.Lock()
		if err != nil {
			p.done = true
			for _, c := range p.waiting {
				close(c)
			}
			p.waiting = nil
			p.mu.Unlock()
			return
		}
		if c := p.waiting[a.ID]; c != nil {
			delete(p.waiting, a.ID)
			c <- a
		}
		p.mu.Unlock()
	}
}

// ask sends a request, with data, and returns the answer; ok is false if there is none, or an error.
func (p *prog) ask(r request, data []byte) (a answer, ok bool) {
	p.mu.Lock()
	if p.done || !p.can[r.Command] {
		p.mu.Unlock()
		return a, false
	}
	p.last++
	r.ID, r.BodySize = p.last, int64(len(data))
	c := make(chan answer, 1)
	p.waiting[r.ID] = c
	p.mu.Unlock()
	p.writing.Lock()
	enc := json.NewEncoder(p.in)
	err := enc.Encode(r)
	if err == nil && len(data) > 0 {
		err = enc.Encode(data)
	}
	p.writing.Unlock()
	if err != nil {
		return a, false
	}
	a, ok = wait(c)
	return a, ok && a.Err == ""
}

// get returns the content of an entry, or nil.
func (p *prog) get(id ID) []byte {
	a, ok := p.ask(request{Command: "get", ActionID: id[:]}, nil)
	if !ok || a.Miss || a.DiskPath == "" {
		return nil
	}
	content, err := os.ReadFile(a.DiskPath)
	if err != nil {
		return nil
	}
	return content
}

// put keeps the content of an entry, whose digest is output.
func (p *prog) put(id, output ID, content []byte) {
	p.ask(request{Command: "put", ActionID: id[:], OutputID: output[:]}, content)
}

// close ends the process.
func (p *prog) close() {
	p.ask(request{Command: "close"}, nil)
	p.in.Close()
	ended := make(chan struct{})
	go func() {
		p.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(progPatience):
		p.cmd.Process.Kill()
		<-ended
	}
}
