// Package plan has a crash that depends on the state of an object.
package plan

import "time"

// Plan says when something is to be done.
type Plan struct {
	at    time.Time
	every int
	done  bool
	note  string
}

func New() *Plan { return &Plan{} }

func (p *Plan) At(t time.Time) { p.at = t }
func (p *Plan) Every(n int)    { p.every = n }
func (p *Plan) Note(s string)  { p.note = s }
func (p *Plan) Reset()         { p.finish(); p.note = "" }
func (p *Plan) Name() string   { return p.note }

func (p *Plan) finish()       { p.done = true }
func (p *Plan) started() bool { return !p.at.IsZero() }

// Next divides by zero if the plan has a time and no interval.
func (p *Plan) Next(n int) int {
	if p.done || n < 0 {
		return len(p.note)
	}
	if p.started() {
		return n / p.every
	}
	return 0
}
