package smt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"dsd/internal/subprocess"
)

// process is a session with a solver process.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	end closing
}

// NewProcess starts a solver that reads SMT-LIB 2 on its standard input, such as "z3 -in" or
// "cvc5 --incremental". The command is split at spaces.
func NewProcess(command string) (Session, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("--solver: no command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	subprocess.KillGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the solver: %w", err)
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

// endMark is a line that the solver echoes after the answer to a command: an answer has no other
// end.
const endMark = "dsd-done"

// Eval sends text and reads until the solver echoes endMark.
func (p *process) Eval(text string) (string, error) {
	if _, err := io.WriteString(p.in, text+"\n(echo \""+endMark+"\")\n"); err != nil {
		return "", fmt.Errorf("the solver: %w", err)
	}
	var answer strings.Builder
	for {
		line, err := p.out.ReadString('\n')
		if strings.Trim(strings.TrimSpace(line), `"`) == endMark { // some solvers echo the quotes
			return answer.String(), nil
		}
		answer.WriteString(line)
		if err != nil {
			return "", fmt.Errorf("the solver: %w", err)
		}
	}
}

// Interrupt kills the solver's process group: the solver may be a script that starts another
// process. The session is lost.
func (p *process) Interrupt() { p.end.unlessClosed(func() { subprocess.Kill(p.cmd) }) }

// Close ends the process.
func (p *process) Close() {
	p.end.close(func() {
		p.in.Close()
		subprocess.Kill(p.cmd)
		p.cmd.Wait()
	})
}
