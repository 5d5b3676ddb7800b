// Panictexts writes what frameworks, log libraries and an error tracker write of three panics, to files of the
// directory out: the texts in crash/stack/testdata/tools. What writes to the standard error of the process (chi,
// net/http) is there.
//
//	mkdir out && go run . 2>out/all.txt
//
// The texts of debuggers are made by
//
//	go build -gcflags='all=-N -l' ./boom
//	dlv exec ./boom --init COMMANDS -- index      # continue, bt
//	gdb -batch -ex 'break runtime.fatalpanic' -ex run -ex bt --args ./boom index
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"time"

	"example.com/shop/cart"

	"github.com/getsentry/sentry-go"
	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	chimw "github.com/go-chi/chi/v5/middleware"
	"github.com/gofiber/fiber/v2"
	fiberrec "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/labstack/echo/v4"
	echomw "github.com/labstack/echo/v4/middleware"
	"github.com/pkg/errors"
	"github.com/rs/zerolog"
	"github.com/rs/zerolog/pkgerrors"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// redirect lets do write its output to a file.
func redirect(name string, do func()) {
	f, err := os.Create("out/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	o, e := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = f, f
	do()
	os.Stdout, os.Stderr = o, e
	f.Close()
}

// try calls do with the value of a panic.
func try(which string, do func(p any)) {
	defer func() {
		if p := recover(); p != nil {
			do(p)
		}
	}()
	cart.Total(which)
}

func main() {
	for _, which := range []string{"index", "nil", "explicit"} {
		req := func() *http.Request { return httptest.NewRequest("GET", "/total?which="+which, nil) }
		for mode, name := range map[string]string{gin.ReleaseMode: "gin-", gin.DebugMode: "gin-debug-"} {
			redirect(name+which, func() {
				gin.SetMode(mode)
				gin.DefaultWriter = io.Discard
				r := gin.New()
				r.Use(gin.RecoveryWithWriter(os.Stderr))
				r.GET("/total", func(c *gin.Context) { cart.Total(which) })
				r.ServeHTTP(httptest.NewRecorder(), req())
			})
		}
		redirect("echo-"+which, func() {
			e := echo.New()
			e.Logger.SetOutput(os.Stderr)
			e.Use(echomw.Recover())
			e.GET("/total", func(c echo.Context) error { cart.Total(which); return nil })
			e.ServeHTTP(httptest.NewRecorder(), req())
		})
		redirect("chi-"+which, func() {
			chimw.IsTTY = false
			r := chi.NewRouter()
			r.Use(chimw.Recoverer)
			r.Get("/total", func(w http.ResponseWriter, r *http.Request) { cart.Total(which) })
			r.ServeHTTP(httptest.NewRecorder(), req())
		})
		redirect("fiber-"+which, func() {
			app := fiber.New(fiber.Config{DisableStartupMessage: true})
			app.Use(fiberrec.New(fiberrec.Config{EnableStackTrace: true}))
			app.Get("/total", func(c *fiber.Ctx) error { cart.Total(which); return nil })
			app.Test(httptest.NewRequest("GET", "/total", nil))
		})
		redirect("pkgerrors-"+which, func() {
			try(which, func(p any) {
				err, _ := p.(error)
				fmt.Printf("%+v\n", errors.Wrap(errors.WithStack(err), "handling the request"))
			})
		})
		for name, config := range map[string]zap.Config{
			"zap-json-" + which: zap.NewProductionConfig(), "zap-console-" + which: zap.NewDevelopmentConfig(),
		} {
			redirect(name, func() {
				config.OutputPaths = []string{"out/" + name + ".txt"}
				l, _ := config.Build()
				try(which, func(p any) { l.Error("recovered from a panic", zap.Any("error", p)) })
				l.Sync()
			})
		}
		redirect("zerolog-json-"+which, func() {
			zerolog.ErrorStackMarshaler = pkgerrors.MarshalStack
			l := zerolog.New(os.Stderr).With().Timestamp().Logger()
			try(which, func(p any) { l.Error().Stack().Err(errors.WithStack(p.(error))).Msg("recovered from a panic") })
		})
		redirect("zerolog-debugstack-"+which, func() {
			l := zerolog.New(os.Stderr).With().Timestamp().Logger()
			try(which, func(p any) { l.Error().Interface("panic", p).Bytes("stack", debug.Stack()).Msg("recovered") })
		})
		redirect("zerolog-console-"+which, func() {
			l := zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true}).With().Timestamp().Logger()
			try(which, func(p any) { l.Error().Stack().Err(errors.WithStack(p.(error))).Msg("recovered from a panic") })
		})
		redirect("logrus-json-"+which, func() {
			l := logrus.New()
			l.Out = os.Stderr
			l.Formatter = &logrus.JSONFormatter{}
			try(which, func(p any) { l.WithField("stacktrace", string(debug.Stack())).Errorf("panic: %v", p) })
		})
		redirect("logrus-text-"+which, func() {
			l := logrus.New()
			l.Out = os.Stderr
			l.Formatter = &logrus.TextFormatter{DisableColors: true}
			try(which, func(p any) { l.WithField("error", p).WithField("stack", string(debug.Stack())).Error("recovered") })
		})
		redirect("slog-json-"+which, func() {
			l := slog.New(slog.NewJSONHandler(os.Stderr, nil))
			try(which, func(p any) { l.Error("panic recovered", "err", p, "stack", string(debug.Stack())) })
		})
		redirect("slog-text-"+which, func() {
			l := slog.New(slog.NewTextHandler(os.Stderr, nil))
			try(which, func(p any) { l.Error("panic recovered", "err", fmt.Sprint(p), "stacktrace", string(debug.Stack())) })
		})
		redirect("k8s-"+which, func() {
			klog.LogToStderr(false)
			klog.SetOutput(os.Stderr)
			utilruntime.ReallyCrash = false
			func() {
				defer utilruntime.HandleCrashWithContext(context.Background())
				cart.Total(which)
			}()
			klog.Flush()
		})
		redirect("sentry-"+which, func() {
			t := &transport{}
			if err := sentry.Init(sentry.ClientOptions{Dsn: "http://k@localhost/1", Transport: t}); err != nil {
				panic(err)
			}
			try(which, func(p any) { sentry.CurrentHub().Recover(p) })
			e := json.NewEncoder(os.Stdout)
			for _, ev := range t.events {
				e.Encode(ev)
			}
		})
		redirect("http-"+which, func() {
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { cart.Total(which) }))
			srv.Config.ErrorLog = nil
			srv.Start()
			http.Get(srv.URL)
			srv.Close()
		})
		servers(which)
		errorValues(which)
		redirect("stack-only-"+which, func() {
			try(which, func(p any) { fmt.Fprintf(os.Stderr, "%v\n%s", p, debug.Stack()) })
		})
	}
}

// transport keeps the events that would be sent.
type transport struct{ events []*sentry.Event }

func (t *transport) Configure(sentry.ClientOptions)        {}
func (t *transport) SendEvent(e *sentry.Event)             { t.events = append(t.events, e) }
func (t *transport) Flush(time.Duration) bool              { return true }
func (t *transport) FlushWithContext(context.Context) bool { return true }
func (t *transport) Close()                                {}
