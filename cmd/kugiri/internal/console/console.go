package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// Path is the path of the page.
const Path = "/_kugiri/console/"

// maxBody is how many bytes a request may have: more than DynamoDB accepts, which then says so.
const maxBody = 17 << 20

// Headers of the page's requests.
const (
	accessKeyHeader = "X-Kugiri-Access-Key"
	regionHeader    = "X-Kugiri-Region"
	writesHeader    = "X-Kugiri-Writes" // "allowed" if the user has turned the read-only switch off
)

// Session describes an endpoint to the page.
type Session struct {
	Endpoint string `json:"endpoint"` // the URL, or "" for the server of the page
	// the one to begin with, "" for that of the credentials
	AccessKey string `json:"accessKey,omitempty"`
	Region    string `json:"region"`   // the one to begin with
	Choice    bool   `json:"choice"`   // the page may choose the access key
	ReadOnly  bool   `json:"readOnly"` // the page asks before it writes
	Version   string `json:"version"`

	Entities []Entity `json:"entities,omitempty"` // the policy's entities
}

// Caller says for whom a request is sent. A field that is "" is that of the session.
type Caller struct{ AccessKey, Region string }

// isAccessKey reports whether a text can be signed for: it becomes a part of signatures.
func isAccessKey(name string) bool {
	return len(name) <= 128 &&
		!strings.ContainsFunc(name, func(c rune) bool { return c == '/' || unicode.IsSpace(c) })
}

// isRegion reports whether a text can be the name of a region: it becomes a part of URLs.
func isRegion(name string) bool {
	const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return len(name) <= 64 && strings.Trim(name, wordCharacters) == ""
}

// Endpoint is the endpoint that the console shows.
type Endpoint interface {
	// Session describes the endpoint.
	Session() Session
	// Send sends a request of an operation to the endpoint.
	Send(r *http.Request, as Caller, o catalog.Operation) (*http.Response, error)
}

// Middleware has a handler answer only the requests that may reach an endpoint.
type Middleware func(http.Handler) http.Handler

// Handler serves the page, and an endpoint to it.
func Handler(e Endpoint, authorize Middleware) http.Handler {
	m := http.NewServeMux()
	m.Handle("GET "+Path+"session", authorize(serveSession(e)))
	m.Handle("POST "+Path+"dynamodb", authorize(serveOperations(e)))
	d := newDesigns()
	m.Handle("POST "+Path+"load", authorize(serveLoad(e, d)))
	for _, method := range [...]string{"GET ", "POST "} {
		m.Handle(method+Path+"design", authorize(http.HandlerFunc(d.serve)))
	}
	if l, ok := e.(*local); ok {
		m.Handle("GET "+Path+"versions", authorize(serveVersions(l)))
		for _, method := range [...]string{"GET ", "POST ", "DELETE "} {
			m.Handle(method+Path+"races", authorize(serveRaces(l)))
		}
	}
	m.Handle("GET "+Path, http.StripPrefix(Path, http.HandlerFunc(serveFile)))
	return m
}

func serveSession(e Endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(e.Session()) // an error means that the client is gone
	})
}

// serveOperations sends the requests of the page to the endpoint, and its answers back.
func serveOperations(e Endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o, ok := operationOf(r)
		if !ok {
			fail(w, http.StatusBadRequest, "UnknownOperationException",
				"X-Amz-Target names no operation of DynamoDB")
			return
		}
		as, ok := callerOf(w, r)
		if !ok {
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			fail(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", err.Error())
			return
		}
		if err != nil { // the client is gone, or there is no room
			fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", err.Error())
			return
		}
		if !onlyReads(o, body) && !mayWrite(w, r, e) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if l, ok := e.(*local); ok && (o.Name == "Query" || o.Name == "Scan") {
			l.tellVersion(w, as, body)
		}
		answer, err := e.Send(r, as, o)
		if err != nil {
			fail(w, http.StatusBadGateway, "EndpointException", err.Error())
			return
		}
		defer answer.Body.Close()
		passOn(w, answer)
	})
}

// onlyReads reports whether a request cannot write: it is of an operation that reads, or all its
// PartiQL statements begin with SELECT.
func onlyReads(o catalog.Operation, body []byte) bool {
	if o.Access != catalog.Either {
		return o.Access == catalog.Reads
	}
	type statement struct{ Statement string }
	var in struct {
		statement
		Statements, TransactStatements []statement
	}
	if json.Unmarshal(body, &in) != nil {
		return false
	}
	all := slices.Concat(in.Statements, in.TransactStatements)
	if in.Statement != "" {
		all = append(all, in.statement)
	}
	return !slices.ContainsFunc(all, func(s statement) bool {
		text := strings.TrimSpace(s.Statement)
		return len(text) < 6 || !strings.EqualFold(text[:6], "select")
	})
}

// mayWrite reports whether a request may write. It answers one that may not.
func mayWrite(w http.ResponseWriter, r *http.Request, e Endpoint) bool {
	if !e.Session().ReadOnly || r.Header.Get(writesHeader) == "allowed" {
		return true
	}
	fail(w, http.StatusForbidden, "ReadOnlyException",
		"the console reads only: turn the switch off to write")
	return false
}

// callerOf returns the caller of a request. It answers one whose caller cannot be.
func callerOf(w http.ResponseWriter, r *http.Request) (c Caller, ok bool) {
	c = Caller{r.Header.Get(accessKeyHeader), r.Header.Get(regionHeader)}
	switch {
	case !isAccessKey(c.AccessKey):
		fail(w, http.StatusBadRequest, "CallerException",
			fmt.Sprintf("%.200q is no access key", c.AccessKey))
	case !isRegion(c.Region):
		fail(w, http.StatusBadRequest, "CallerException",
			fmt.Sprintf("%.200q is no region", c.Region))
	default:
		return c, true
	}
	return c, false
}

// operationOf returns the operation that a request calls.
func operationOf(r *http.Request) (catalog.Operation, bool) {
	target := r.Header.Get("X-Amz-Target")
	for o := range catalog.All() {
		if o.Target() == target {
			return o, true
		}
	}
	return catalog.Operation{}, false
}

// passOn sends an answer of the endpoint to the page.
func passOn(w http.ResponseWriter, answer *http.Response) {
	for _, name := range [...]string{"Content-Type", "Content-Length", "X-Amzn-Requestid"} {
		if v := answer.Header.Values(name); len(v) > 0 {
			w.Header()[name] = v
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body) // an error means that one of the two is gone
}

// fail answers with an error in the form of DynamoDB's.
func fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{
		"__type": "kugiri.console#" + kind, "message": text,
	})
}
