package paramgraph

import (
	"go/types"
	"net/url"
	"strconv"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// Servers are tested by requests as package httptest makes them: with a path, a query, headers, cookies and a body. The
// functions of net/http that make requests and responses for clients are not called, see Uncallable.

// addHTTP adds operations that make and fill requests and responses.
func (b *Builder) addHTTP(t types.Type) {
	switch Key(t) {
	case "*net/http.Request":
		b.addRequests(t)
	case "*net/http.Response":
		b.addResponses(t)
	}
	if p, ok := t.(*types.Pointer); ok {
		b.addRequestFields(t, p)
	}
}

// addRequests adds GET requests of a path and POST requests with a body, and operations that change other parts of a
// request.
func (b *Builder) addRequests(t types.Type) {
	text := types.Typ[types.String]
	request := func(f *gofile.File, method, path, body string) string {
		target := "(&" + f.Use("net/url", "url") + `.URL{Path: "/" + ` + path + "}).String()"
		if s, err := strconv.Unquote(path); err == nil {
			target = strconv.Quote((&url.URL{Path: "/" + s}).String())
		}
		return f.Use("net/http/httptest", "httptest") + ".NewRequest(" + strconv.Quote(method) + ", " + target + ", " + body + ")"
	}
	b.Add(candidate.Derived(t, text, "GET", func(f *gofile.File, path string) string { return request(f, "GET", path, "nil") }))
	post := candidate.Made(t, []types.Type{text, text}, "POST", func(f *gofile.File, a []string) string {
		return request(f, "POST", a[0], f.Use("strings", "strings")+".NewReader("+a[1]+")")
	})
	post.Body = true
	b.Add(post)
	set := func(name string, params int, expr func(f *gofile.File, a []string) string) {
		in := []types.Type{t}
		for range params {
			in = append(in, text)
		}
		b.Add(candidate.Statement(name, in, expr))
	}
	set("Method =", 1, func(_ *gofile.File, a []string) string { return a[0] + ".Method = " + a[1] })
	set("Header.Set", 2, func(_ *gofile.File, a []string) string {
		return a[0] + ".Header.Set(" + a[1] + ", " + a[2] + ")"
	})
	set("Content-Type: application/json", 0, func(_ *gofile.File, a []string) string {
		return a[0] + `.Header.Set("Content-Type", "application/json")`
	})
	set("RawQuery =", 2, func(f *gofile.File, a []string) string {
		return a[0] + ".URL.RawQuery = " + f.Use("net/url", "url") + ".Values{" + a[1] + ": {" + a[2] + "}}.Encode()"
	})
	set("raw RawQuery =", 1, func(_ *gofile.File, a []string) string { return a[0] + ".URL.RawQuery = " + a[1] })
	set("Form =", 2, func(f *gofile.File, a []string) string {
		form := f.Use("net/url", "url") + ".Values{" + a[1] + ": {" + a[2] + "}}"
		return a[0] + ".Form, " + a[0] + ".PostForm = " + form + ", " + form
	})
	set("AddCookie", 2, func(f *gofile.File, a []string) string {
		return a[0] + ".AddCookie(&" + f.Use("net/http", "http") + ".Cookie{Name: " + a[1] + ", Value: " + a[2] + "})"
	})
	set("SetPathValue", 2, func(_ *gofile.File, a []string) string {
		return a[0] + ".SetPathValue(" + a[1] + ", " + a[2] + ")"
	})
}

// addResponses adds responses with a body, and operations that change other parts of a response.
func (b *Builder) addResponses(t types.Type) {
	text := types.Typ[types.String]
	o := candidate.Derived(t, text, "response", func(f *gofile.File, arg string) string {
		http := f.Use("net/http", "http")
		body := f.Use("io", "io") + ".NopCloser(" + f.Use("strings", "strings") + ".NewReader(" + arg + "))"
		return "&" + http + ".Response{StatusCode: 200, Header: " + http + ".Header{}, Body: " + body + "}"
	})
	o.Body = true
	b.Add(o)
	b.Add(candidate.Statement("StatusCode =", []types.Type{t, types.Typ[types.Int]}, func(_ *gofile.File, a []string) string {
		return a[0] + ".StatusCode = " + a[1]
	}))
	b.Add(candidate.Statement("Header.Set", []types.Type{t, text, text}, func(_ *gofile.File, a []string) string {
		return a[0] + ".Header.Set(" + a[1] + ", " + a[2] + ")"
	}))
}

// addRequestFields adds assignments to fields of a struct type of another module that has one for a request, such as the
// context of a web framework, to which t points: to those for requests, and to those for lists, such as the parameters in
// a path.
func (b *Builder) addRequestFields(t types.Type, p *types.Pointer) {
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == "net/http" ||
		b.Prog.Package(named.Obj().Pkg().Path()) != nil {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	requests, lists := []*types.Var{}, []*types.Var{}
	for f := range s.Fields() {
		_, list := f.Type().Underlying().(*types.Slice)
		switch {
		case !f.Exported():
		case Key(f.Type()) == "*net/http.Request":
			requests = append(requests, f)
		case list:
			lists = append(lists, f)
		}
	}
	if len(requests) == 0 {
		return
	}
	for _, f := range append(requests, lists...) {
		b.Add(candidate.SetField(t, f))
	}
}
