package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"

	"example.com/shop/cart"

	goerrors "github.com/go-errors/errors"
	"github.com/gorilla/handlers"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"github.com/inconshreveable/log15"
	"github.com/joomcode/errorx"
	"github.com/rotisserie/eris"
	"github.com/samber/oops"
	"github.com/urfave/negroni/v3"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
)

// servers writes what servers log when a handler panics.
func servers(which string) {
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cart.Total(which) })
	serve := func(h http.Handler) { h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/total", nil)) }
	logger := func() *log.Logger { return log.New(os.Stderr, "", log.LstdFlags) }
	redirect("gorilla-"+which, func() {
		serve(handlers.RecoveryHandler(handlers.PrintRecoveryStack(true), handlers.RecoveryLogger(logger()))(handler))
	})
	redirect("negroni-"+which, func() {
		rec := negroni.NewRecovery()
		rec.Logger, rec.PrintStack = logger(), false
		n := negroni.New(rec)
		n.UseHandler(handler)
		serve(n)
	})
	redirect("grpc-"+which, func() {
		intercept := recovery.UnaryServerInterceptor()
		_, err := intercept(context.Background(), nil, &grpc.UnaryServerInfo{}, func(context.Context, any) (any, error) {
			cart.Total(which)
			return nil, nil
		})
		fmt.Println(err)
	})
	redirect("errgroup-"+which, func() {
		var g errgroup.Group
		g.Go(func() (err error) {
			defer func() { err = fmt.Errorf("goroutine panicked: %v\n\n%s", recover(), debug.Stack()) }()
			cart.Total(which)
			return nil
		})
		fmt.Println(g.Wait())
	})
}

// errorValues writes the traces of errors that are made of the value of a panic.
func errorValues(which string) {
	err := func(p any) error {
		if e, ok := p.(error); ok {
			return e
		}
		return fmt.Errorf("%v", p)
	}
	redirect("goerrors-"+which, func() { try(which, func(p any) { fmt.Println(goerrors.Wrap(p, 1).ErrorStack()) }) })
	redirect("eris-"+which, func() { try(which, func(p any) { fmt.Println(eris.ToString(eris.Wrap(err(p), "request"), true)) }) })
	redirect("errorx-"+which, func() { try(which, func(p any) { fmt.Printf("%+v\n", errorx.EnsureStackTrace(err(p))) }) })
	redirect("oops-"+which, func() { fmt.Printf("%+v\n", oops.Recover(func() { cart.Total(which) })) })
	redirect("log15-"+which, func() {
		l := log15.New()
		l.SetHandler(log15.StreamHandler(os.Stderr, log15.LogfmtFormat()))
		try(which, func(p any) { l.Error("request panicked", "err", fmt.Sprint(p), "stack", string(debug.Stack())) })
	})
}
