package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/internal/verdict"
	"github.com/kugiri-db/kugiri/conventions/outgoing"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Config configures a Gateway.
type Config struct {
	Upstream    string // URL of the endpoint, without a path
	Policy      *policy.Engine
	Credentials aws.CredentialsProvider // the credentials that sign forwarded requests
	Region      string                  // "": the region that a request was signed for

	// secrets of callers by access key, to verify signatures; nil: signatures are not verified
	Secrets  map[string]string
	DataOnly bool // refuse operations that change tables instead of items
	WarnOnly bool // report findings only: the policy refuses and changes nothing

	// NoConditions sends writes unchanged. Otherwise the gateway adds missing conditions to writes
	// that set a version or change a document with a latest item. Without these conditions the
	// rules refuse such writes.
	NoConditions bool

	// Found, if not nil, is called with every finding, refused or not. It must be safe for
	// concurrent use.
	Found func(context.Context, policy.Finding, request.Caller)

	// Failed, if not nil, is called with errors between gateway and upstream. It must be safe for
	// concurrent use.
	Failed func(context.Context, error)

	// the longest wait for the first byte of an answer; 0 is DefaultTimeout
	Timeout time.Duration
	// to the upstream; nil is a transport with its own pool of connections
	Transport http.RoundTripper
	Now       func() time.Time // nil is time.Now
}

// DefaultTimeout is the default of Config.Timeout.
const DefaultTimeout = 30 * time.Second

// maxBody is the largest body that DynamoDB accepts.
const maxBody = 16 << 20

// HealthPath answers GET and HEAD with 200 while the gateway runs. It does not check the upstream.
const HealthPath = "/healthz"

// Gateway is an http.Handler. It is safe for concurrent use.
type Gateway struct {
	config Config
	judge  verdict.Judge
	proxy  *httputil.ReverseProxy
	own    *http.Transport // nil if it is Config's
}

// New returns a Gateway. Close it after use.
func New(c Config) (*Gateway, error) {
	upstream, err := url.Parse(c.Upstream)
	switch {
	case err != nil || upstream.Host == "" || upstream.Scheme != "http" &&
		upstream.Scheme != "https":
		return nil, fmt.Errorf(
			"gateway: the upstream %q is no URL, such as https://dynamodb.eu-central-1.amazonaws.com", c.Upstream)
	case strings.Trim(upstream.Path, "/") != "" || upstream.RawQuery != "" || upstream.User != nil:
		return nil, fmt.Errorf("gateway: the upstream %q has more than scheme, host and port",
			upstream.Redacted())
	case c.Policy == nil || c.Credentials == nil:
		return nil, errors.New("gateway: a policy and credentials are needed")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	g := &Gateway{
		config: c,
		judge: verdict.Judge{Engine: c.Policy, State: c.Policy.NewState(), Amend: !c.NoConditions,
			Tell: c.WarnOnly},
	}
	if c.Transport == nil {
		g.own = newTransport(c.Upstream, c.Timeout)
		c.Transport = g.own
	}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			host := upstream.Host
			if r.In.Header.Get("X-Amz-Target") == string(catalog.DynamoDB)+"SearchVectors" {
				host = searchHost(host)
			}
			r.Out.URL = &url.URL{Scheme: upstream.Scheme, Host: host, Path: "/"}
			r.Out.Host = host
			// ReverseProxy keeps these
			for _, name := range [...]string{"Connection", "Upgrade", "Te"} {
				r.Out.Header.Del(name)
			}
		},
		Transport:      &signer{g, c.Transport},
		ModifyResponse: g.answered,
		ErrorHandler:   g.failed,
		ErrorLog:       log.New(failures{g}, "", 0),
		BufferPool:     &buffers{},
	}
	return g, nil
}

// newTransport returns a transport to an upstream with enough connections for a busy service. It
// does not decompress answers.
func newTransport(upstream string, timeout time.Duration) *http.Transport {
	dialer := outgoing.Dialer(upstream)
	dialer.Timeout = 5 * time.Second
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   5 * time.Second,
		ResponseHeaderTimeout: timeout,
		MaxIdleConns:          1000,
		MaxIdleConnsPerHost:   1000,
		IdleConnTimeout:       20 * time.Second,
		DisableCompression:    true, // the answer keeps the coding that the client requested
	}
}

// Close closes idle connections.
func (g *Gateway) Close() {
	if g.own != nil {
		g.own.CloseIdleConnections()
	}
}

// exchange holds the state of a forwarded request.
type exchange struct {
	verdict *verdict.Verdict
	body    []byte
	region  string
	caller  request.Caller
	hides   bool // the answer must not tell its caller how many items a table has
}

type exchangeKey struct{}

// ServeHTTP checks a request and answers or forwards it.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == HealthPath && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "ok\n")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, unreadBody(err))
		return
	}
	operation, region, caller, refusal := g.admit(r, body)
	if refusal != nil {
		refuse(w, refusal)
		return
	}
	v := g.judge.Judge(operation, body, caller)
	if g.config.Found != nil {
		for _, f := range v.Findings {
			g.config.Found(r.Context(), f, caller)
		}
	}
	if v.Refusal != nil {
		send(w, http.StatusBadRequest, v.Refusal.JSON())
		return
	}
	hides := operation == describesTable && !g.config.WarnOnly
	if hides {
		r.Header.Del("Accept-Encoding") // the answer has to be read
	}
	x := &exchange{v, v.Body, region, caller, hides}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(v.Body)), int64(len(v.Body))
	r.Header.Set("Content-Length", fmt.Sprint(len(v.Body)))
	r.TransferEncoding = nil
	g.proxy.ServeHTTP(w, r)
}

// admit finds the operation and the caller of a request. It refuses a request if either is in
// doubt.
func (g *Gateway) admit(r *http.Request, body []byte) (operation, region string,
	caller request.Caller, refusal *answer) {
	fail := func(a answer) (string, string, request.Caller, *answer) {
		return "", "", request.Caller{}, &a
	}
	targets := r.Header.Values("X-Amz-Target")
	if len(targets) == 1 {
		operation = strings.TrimPrefix(targets[0], string(catalog.DynamoDB))
	}
	switch {
	case r.Header["Origin"] != nil:
		return fail(answerPage)
	case r.Method != http.MethodPost || r.URL.Path != "/" || r.URL.RawQuery != "":
		return fail(answerNotFound)
	case operation == "" || operation == targets[0] || isHopByHop(r.Header, "X-Amz-Target"):
		return fail(answerUnknownOperation)
	case r.Header.Get("Content-Encoding") != "" && r.Header.Get("Content-Encoding") != "identity":
		return fail(answerCompressed)
	}
	s, ok := parseAuthorization(r.Header.Values("Authorization"))
	if !ok {
		return fail(answerNoSignature)
	}
	if g.config.Secrets != nil {
		if a := g.verify(r, body, s); a != nil {
			return fail(*a)
		}
	}
	if g.config.DataOnly && !isForData(operation) {
		return fail(answerNotData)
	}
	caller.AccessKey, caller.Authenticated = s.accessKey, g.config.Secrets != nil
	if header := g.config.Policy.TenantHeader(); header != "" {
		caller.Header = request.TenantIn(r.Header.Values(header))
	}
	region = g.config.Region
	if region == "" {
		region = s.claim.Region
	}
	return operation, region, caller, nil
}

// isHopByHop reports whether the header Connection lists a header, which is then not forwarded.
func isHopByHop(h http.Header, name string) bool {
	for _, line := range h.Values("Connection") {
		for field := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(field), name) {
				return true
			}
		}
	}
	return false
}

// isForData reports whether an operation reads or writes items, or SDKs call it before they do.
func isForData(operation string) bool {
	s := catalog.SubjectOf(operation)
	return s == catalog.Items || s == catalog.Setup
}

// answered counts the partition keys of a write.
func (g *Gateway) answered(r *http.Response) error {
	if x, ok := r.Request.Context().Value(exchangeKey{}).(*exchange); ok &&
		r.StatusCode == http.StatusOK {
		g.judge.Sent(x.verdict)
		if x.hides {
			return g.hideCounts(r, x.caller)
		}
	}
	return nil
}

// failed answers a request that could not be sent or got no answer. The gateway does not know
// whether the upstream carried it out, so SDKs must retry the error as they retry errors of the
// service.
func (g *Gateway) failed(w http.ResponseWriter, r *http.Request, err error) {
	if g.config.Failed != nil && !errors.Is(err, context.Canceled) {
		g.config.Failed(r.Context(), err)
	}
	refuse(w, &answerUnavailable)
}

// failures passes the errors that the proxy would log, such as an interrupted answer, to
// Config.Failed.
type failures struct{ g *Gateway }

func (f failures) Write(line []byte) (int, error) {
	if f.g.config.Failed != nil {
		f.g.config.Failed(context.Background(), errors.New(strings.TrimSpace(string(line))))
	}
	return len(line), nil
}
