package record

// Servers are functions of servers in which a panic ends a request, and not the program: they recover from it, or what
// recovers runs inside them, as the middleware of gin, echo, chi, fiber and go-grpc-middleware does.
var Servers = []string{
	"net/http.(*conn).serve",
	"net/http.(*http2serverConn).runHandler",
	"golang.org/x/net/http2.(*serverConn).runHandler",
	"google.golang.org/grpc.(*Server).handleStream",
	"github.com/valyala/fasthttp.(*Server).serveConn",
}
