package emulator

import (
	"errors"
	"hash/crc32"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gorilla/mux"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage/item"
)

// route answers a request. Almost all requests are calls of operations, which go to servePost
// directly: a router would cost them time. The others go to the router that routes makes.
func (e *Emulator) route(w http.ResponseWriter, r *http.Request) {
	if httpd.HeadTooLong(r) {
		httpd.ServeTooLong(w)
		return
	}
	if e.hosts != nil && e.refuse(w, r) {
		return
	}
	if r.Method == http.MethodPost && r.URL.Path == "/" {
		e.servePost(w, r)
		return
	}
	e.others().ServeHTTP(w, r)
}

// routes makes the router of requests that are no calls of operations. It answers 404 to a request
// that no route fits.
func (e *Emulator) routes() http.Handler {
	r := mux.NewRouter().SkipClean(true)
	health := http.Handler(http.HandlerFunc(e.serveHealth))
	if e.settings.health != nil {
		health = e.settings.health
	}
	r.Path("/").Methods(http.MethodGet, http.MethodHead).Handler(health)
	r.Path("/").Methods(http.MethodOptions).HandlerFunc(e.servePreflight)
	r.Path("/healthz").Methods(http.MethodGet, http.MethodHead).HandlerFunc(e.serveOK)
	r.Path("/readyz").Methods(http.MethodGet, http.MethodHead).HandlerFunc(e.serveReady)
	for _, more := range e.settings.prefixes {
		r.PathPrefix(more.prefix).Handler(more.make(e))
	}
	// behind a route of the admin API for the same path, which goes before
	if e.service.Guard != nil {
		r.Path(FindingsPath).Methods(http.MethodGet).HandlerFunc(e.serveFindings)
	}
	notFound := http.HandlerFunc(e.serveNotFound)
	r.NotFoundHandler, r.MethodNotAllowedHandler = notFound, notFound
	return r
}

// servePost answers a call of an operation with its output or its error. If a fault takes the
// answer away, it closes the connection instead.
func (e *Emulator) servePost(w http.ResponseWriter, r *http.Request) {
	contentType := answerType(r)
	if contentType == nil {
		e.serveNotFound(w, r)
		return
	}
	b, received := httpd.Answers.Get(), httpd.Requests.Get()
	defer httpd.Answers.Put(b)
	defer httpd.Requests.Put(received)
	ev := e.newEvent(r)
	status, kind := http.StatusOK, ""
	body, err := e.call(r, received, *b, ev)
	if err == serve.ErrNoAnswer {
		ev.Exchanged(0, "", len(received.Body), 0)
		e.tell(ev, nil)
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		answer := e.asAnswer(r, err)
		body, status, kind = answer.Append(body[:0]), answer.Type.Status, answer.Type.Name
		ev.Failed(answer)
	}
	*b = body
	ev.Exchanged(status, kind, len(received.Body), len(body))
	ev.Answers(body)
	e.send(w, r, status, contentType, body, ev)
}

// call runs the operation of a request. It reads the request's body into received, and appends the
// answer to dst. A panic of the operation becomes an internal error of this request alone. ev
// records what the request does; it is nil if there are no observers.
func (e *Emulator) call(r *http.Request, received *httpd.Request, dst []byte,
	ev *observe.Recording) (body []byte, err error) {
	operation, who, err := e.recognize(r, ev)
	if err != nil {
		return dst, e.firstFault(r, received, err)
	}
	text, err := e.transit.ReadBody(r, e.service.Limits.BodyBytes, received)
	if err != nil {
		return dst, err
	}
	ev.Sends(text)
	if e.settings.credentials != nil {
		if err := e.settings.credentials.Verify(r, who, received.Body); err != nil {
			return dst, err
		}
	}
	verified := e.settings.credentials != nil
	e = e.answering(who.AccessKey)
	account, caller, err := e.service.Identify(who.AccessKey, r)
	if err != nil {
		return dst, err
	}
	ns := e.service.Namespaces.Borrow(who)
	defer ns.GiveBack()
	ev.ComesFrom(ns.AccessKey, ns.Region)
	c := &serve.Call{
		Service:   e.service,
		Store:     ns.Store,
		Data:      ns.Account,
		Owner:     arn.Owner{Account: account, Region: ns.Region},
		AccessKey: ns.AccessKey,
		Caller:    caller,
		Operation: operation,
		Form:      operation.Form,
		Ctx:       r.Context(),
		Memory:    &received.Decoded,
		Event:     ev,
	}
	defer func() {
		if p := recover(); p != nil {
			e.logPanic(operation, p)
			body, err = dst, errPanic
		}
		if c.Watch != nil {
			c.Watch.Finish(err)
		}
		c.Caller.Leave()
	}()
	if e.service.Guard != nil {
		c.Watch = e.service.Guard.Begin(operation.Name, ns.AccessKey, ns.PartitionCount().State, r,
			verified)
	}
	if body, err = operation.Serve(c, text, dst); err != nil {
		err = c.Form.Worded(err)
	}
	return body, err
}

func (e *Emulator) logPanic(o *serve.Operation, p any) {
	e.service.Logger.Error("panic in an operation", slog.String("operation", o.Name),
		slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
}

// recognize reads from the headers of a request which operation it calls, and who does.
func (e *Emulator) recognize(r *http.Request, ev *observe.Recording) (*serve.Operation,
	auth.Credential, error) {
	operation := operationsByTarget[httpd.First(r.Header["X-Amz-Target"])]
	if operation == nil {
		return nil, auth.Credential{}, errNoOperation
	}
	ev.Calls(operation.Name)
	who, err := auth.Authenticate(r, e.settings.credentials != nil)
	if err != nil {
		return nil, auth.Credential{}, err
	}
	ev.ComesFrom(who.AccessKey, who.Region)
	if e.settings.credentials != nil {
		err = e.settings.credentials.Admit(r, who, e.service.Clock(),
			e.service.Guard.SignedHeader())
	}
	return operation, who, err
}

// firstFault returns the error of a request whose headers have one: that of its body, if it has
// one as well, for the service reads the body first (service facts 9.10). With WithCredentials no
// more is read of those who are not known.
func (e *Emulator) firstFault(r *http.Request, received *httpd.Request, ofHeaders error) error {
	if e.settings.credentials != nil {
		return ofHeaders
	}
	text, err := e.transit.ReadBody(r, e.service.Limits.BodyBytes, received)
	switch {
	case err != nil:
		return err
	case text != "" && !wire.IsJSON(text):
		return item.ErrSyntax
	}
	return ofHeaders
}

var (
	errNoOperation = &apierr.Error{Type: apierr.UnknownOperation}

	errPanic = errors.New("panic") // logged already

)

// asAnswer is the answer for an error. One that has none is our own, and logged.
func (e *Emulator) asAnswer(r *http.Request, err error) *apierr.Error {
	if answer := apierr.As(err); answer != nil {
		return answer
	}
	level := slog.LevelError
	if errors.As(err, new(*httpd.CodingError)) {
		level = slog.LevelWarn // the client's mistake, of which the answer does not tell
	}
	if err != errPanic {
		e.service.Logger.Log(r.Context(), level, "operation failed",
			slog.String("target", httpd.First(r.Header["X-Amz-Target"])), slog.Any("error", err))
	}
	return serve.ErrOurFault
}

// Values of headers that all answers share.
var (
	jsonTypes = map[string][]string{
		"application/x-amz-json-1.0": {"application/x-amz-json-1.0"},
		"application/json":           {"application/json"},
	}
	serverHeader    = []string{"Server"}
	keepAliveHeader = []string{"keep-alive"}
)

// answerType returns the Content-Type header of the answer to r, nil if the service does not take
// such requests. One without a type and a body counts as JSON (service facts 9.9).
func answerType(r *http.Request) []string {
	requested := httpd.First(r.Header["Content-Type"])
	if h, ok := jsonTypes[requested]; ok {
		return h
	}
	if requested == "" && r.ContentLength == 0 {
		return jsonTypes["application/json"]
	}
	media, _, _ := strings.Cut(requested, ";")
	return jsonTypes[strings.ToLower(strings.TrimSpace(media))]
}

// send sends an answer, compressed if the request asks for that, once observers
// have been told of it. The checksum is that of the bytes as sent.
func (e *Emulator) send(w http.ResponseWriter, r *http.Request, status int, contentType []string,
	body []byte, ev *observe.Recording) {
	h := w.Header()
	if coding := httpd.AnswerCoding(r.Header["Accept-Encoding"], len(body)); coding != nil {
		b := httpd.Answers.Get()
		defer httpd.Answers.Put(b)
		*b = coding.Compress(*b, body)
		body = *b
		h["Content-Encoding"] = coding.Header
	}
	values := e.answerHeaders(body)
	h["Server"] = serverHeader
	h["Connection"] = keepAliveHeader
	h["Content-Type"] = contentType
	h["X-Amzn-Requestid"] = values[0:1:1]
	h["X-Amz-Crc32"] = values[1:2:2]
	h["Content-Length"] = values[2:3:3]
	e.settings.origins.Allow(h, r)
	httpd.JoinParts(r, len(body))
	e.tell(ev, h)
	w.WriteHeader(status)
	httpd.AwaitClient(w, len(body))
	w.Write(body) // an error is the client's, who is gone
}

// answerHeaders are the values of the headers that differ from answer to answer:
// request id, checksum and length. All of them are parts of one string.
func (e *Emulator) answerHeaders(body []byte) *[3]string {
	var space [96]byte
	b := e.service.Random.AppendRequestID(space[:0])
	id := len(b)
	b = strconv.AppendUint(b, uint64(crc32.ChecksumIEEE(body)), 10)
	sum := len(b)
	text := string(strconv.AppendInt(b, int64(len(body)), 10))
	return &[3]string{text[:id], text[id:sum], text[sum:]}
}

// serveNotFound answers what is no call of an operation at all. If it is too large, that counts
// (service facts 9.10).
func (e *Emulator) serveNotFound(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > e.service.Limits.BodyBytes {
		e.send(w, r, apierr.RequestTooLarge.Status, jsonTypes["application/json"],
			httpd.ErrTooLarge.Append(nil), nil)
		return
	}
	e.sendText(w, r, http.StatusNotFound, "<UnknownOperationException/>\n")
}

// sendText sends an answer that is not JSON, with the headers that all answers have.
func (e *Emulator) sendText(w http.ResponseWriter, r *http.Request, status int, body string) {
	h := w.Header()
	h["Server"] = serverHeader
	values := e.answerHeaders([]byte(body))
	h["X-Amzn-Requestid"] = values[0:1:1]
	h["X-Amz-Crc32"] = values[1:2:2]
	h["Content-Length"] = values[2:3:3]
	if body != "" {
		h["Content-Type"] = []string{"text/plain"}
	}
	e.settings.origins.Allow(h, r)
	w.WriteHeader(status)
	w.Write([]byte(body))
}
