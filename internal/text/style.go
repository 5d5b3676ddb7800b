package text

// Style colors text for a terminal, if it is true.
type Style bool

// The colors are those that a terminal calls so, on whatever ground it has.
func (s Style) Bold(text string) string   { return s.with("1", text) }
func (s Style) Red(text string) string    { return s.with("31", text) }
func (s Style) Yellow(text string) string { return s.with("33", text) }
func (s Style) Blue(text string) string   { return s.with("34", text) }
func (s Style) Faint(text string) string  { return s.with("2", text) }

func (s Style) with(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
