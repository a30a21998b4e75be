package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
)

// Remote is an Endpoint at a URL. It signs the requests of the page.
type Remote struct {
	About       Session
	Client      *http.Client
	Credentials func(context.Context) (sigv4.Credentials, error)
	URL         func(ctx context.Context, s catalog.Service, region string) (string, error)
	Now         func() time.Time
}

// Session describes the endpoint.
func (e *Remote) Session() Session { return e.About }

// Send signs a request and sends it. It signs with the caller's access key if the page may choose
// access keys, which it may only at an endpoint that does not verify signatures.
func (e *Remote) Send(r *http.Request, as Caller, o catalog.Operation) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if as.Region == "" {
		as.Region = e.About.Region
	}
	at, err := e.URL(r.Context(), o.Service, as.Region)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(r.Context(), http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	setTarget(out, o)
	if err := e.sign(out, body, as); err != nil {
		return nil, err
	}
	return e.Client.Do(out)
}

func (e *Remote) sign(r *http.Request, body []byte, as Caller) error {
	k, err := e.Credentials(r.Context())
	if err != nil {
		return err
	}
	if e.About.Choice && as.AccessKey != "" {
		k.AccessKey = as.AccessKey
	}
	sigv4.Sign(r, body, k, as.Region, "dynamodb", e.Now())
	return nil
}

// Admin returns a handler that passes requests of the page on to the endpoint's admin API. It
// removes the headers by which a browser says which page sends a request. What is in front of
// the handler has checked them.
func (e *Remote) Admin(token string) (http.Handler, error) {
	at, err := url.Parse(e.About.Endpoint)
	if err != nil || at.Host == "" {
		return nil, errors.New("the endpoint has no admin API")
	}
	return &httputil.ReverseProxy{
		Transport: e.Client.Transport,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(at)
			for _, name := range [...]string{"Origin", "Referer", "Authorization", "Cookie",
				"Sec-Fetch-Site"} {
				p.Out.Header.Del(name)
			}
			if token != "" {
				p.Out.Header.Set("Authorization", "Bearer "+token)
			}
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			fail(w, http.StatusBadGateway, "EndpointException", err.Error())
		},
	}, nil
}
