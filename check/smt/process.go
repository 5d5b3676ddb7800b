package smt

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
)

// process is a solver in a process of its own.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// NewProcess starts a solver that reads SMT-LIB 2 on its standard input, such as "z3 -in" or "cvc5 --incremental".
func NewProcess(command string) (Session, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, fmt.Errorf("--solver: no command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	return &process{cmd, in, bufio.NewReader(out)}, nil
}

const done = "dsd-done"

// Eval sends text and reads until the solver echoes a mark.
func (p *process) Eval(text string) (string, error) {
	if _, err := io.WriteString(p.in, text+"\n(echo \""+done+"\")\n"); err != nil {
		return "", fmt.Errorf("the solver: %w", err)
	}
	var answer strings.Builder
	for {
		line, err := p.out.ReadString('\n')
		if strings.Trim(strings.TrimSpace(line), `"`) == done {
			return answer.String(), nil
		}
		answer.WriteString(line)
		if err != nil {
			return "", fmt.Errorf("the solver: %w", err)
		}
	}
}

// Interrupt ends the solver, and those that it started.
func (p *process) Interrupt() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

func (p *process) Close() {
	p.in.Close()
	p.Interrupt()
	p.cmd.Wait()
}
