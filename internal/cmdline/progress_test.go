package cmdline

import (
	"bytes"
	"regexp"
	"testing"
	"time"
)

// TestProgress reports three times, the second time too soon, in each form.
func TestProgress(t *testing.T) {
	for form, want := range map[progressForm]string{
		asLine: "\rcheck: 1 of 9 functions, 0 warnings\x1b[K" +
			"\rcheck: 3 of 9 functions, 2 warnings, about 1m0s left, busy with f\x1b[K\r\x1b[K",
		asMinutes: "0s: check: 1 of 9 functions, 0 warnings\n" +
			"0s: check: 3 of 9 functions, 2 warnings, about 1m0s left, busy with f\n",
		asJSON: `{"stage":"check","done":1,"total":9,"unit":"functions","what":"warnings","seconds":0}` + "\n" +
			`{"stage":"check","done":3,"total":9,"unit":"functions","found":2,"what":"warnings","busy":"f",` +
			`"seconds":0,"left":60}` + "\n",
	} {
		var out bytes.Buffer
		p := &Progress{w: &out, form: form, begun: time.Now()}
		p.Done() // nothing was shown
		r := Report{Stage: "check", Done: 1, Total: 9, Unit: "functions", What: "warnings"}
		p.Report(r)
		r.Done = 2
		p.Report(r) // too soon
		p.last = time.Now().Add(-pauses[form])
		r.Done, r.Found, r.Left, r.Busy = 3, 2, time.Minute, "f"
		p.Report(r)
		p.Done()
		p.Done()
		if got := regexp.MustCompile(`"seconds":0\.\d`).ReplaceAllString(out.String(), `"seconds":0`); got != want {
			t.Errorf("form %d: got %q, want %q", form, got, want)
		}
	}
	var none *Progress
	none.Report(Report{Stage: "nothing"})
	none.Done()
	if IsTerminal(new(bytes.Buffer)) {
		t.Error("a buffer is a terminal")
	}
}

func TestReport(t *testing.T) {
	for want, r := range map[string]Report{
		"loading":                      {Stage: "loading"},
		"infer trace: 1 of 3 packages": {Stage: "infer trace", Done: 1, Total: 3, Unit: "packages"},
		"crash random: 12 candidates, 0 crashes, 3 per second": {Stage: "crash random", Done: 12, Unit: "candidates",
			What: "crashes", More: "3 per second"},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
