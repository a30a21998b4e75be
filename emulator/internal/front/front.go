// Package front answers the HTTP requests of a service. It finds the operation that a request
// calls and who calls it, and sends the operation's answer. Health, CORS and what a browser must
// not do are here as well; the operations are in the rooms of internal/feature.
package front

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Front is the HTTP side of a service. A nil Secrets verifies no signatures, and nil Hosts allow
// any Host. It is safe for concurrent use, but its fields may change only before the first request.
type Front struct {
	Service    *serve.Service
	Operations map[string]*serve.Operation // operations by the value of X-Amz-Target
	// Clusters returns those on clusters of DAX, so as well. Other requests do not call it.
	Clusters  func() map[string]*serve.Operation
	Secrets   auth.Secrets
	Origins   httpd.Origins
	Hosts     hostcheck.Hosts
	known     atomic.Pointer[string] // the last Host that Hosts allowed
	Transit   *httpd.Transit         // the transit of calls of operations
	Aside     *httpd.Transit         // the transit of what Intercepted and Others answer
	Observers *observe.Observers
	// Answering returns the service that answers the requests of an access key.
	Answering func(accessKey string) *serve.Service
	// Intercepted has the handlers that answer the calls of access keys in place of the service.
	Intercepted ByKey[http.Handler]
	// Missing is called with the body of a request on items that names a table which is not there,
	// before it is answered; nil: nothing is. It may keep none of its arguments.
	Missing func(accessKey, region string, body []byte)
	// Others returns the handler of the requests that are no calls of operations. It is called for
	// each of them.
	Others func() http.Handler
}

var (
	errNoOperation = &apierr.Error{Type: apierr.UnknownOperation}

	errPanic = errors.New("panic") // logged already
)

// ServeHTTP answers a request. Almost all requests are calls of operations, which go to servePost
// directly: a router would cost them time.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if httpd.HeadTooLong(r) {
		httpd.ServeTooLong(w)
		return
	}
	if f.Hosts != nil && f.refuse(w, r) {
		return
	}
	if r.Method == http.MethodPost && r.URL.Path == "/" {
		if h := f.intercepting(r); h != nil {
			f.aside(h, w, r)
			return
		}
		f.servePost(w, r)
		return
	}
	if service := foreignService(r); service != "" {
		f.answerForeign(w, r, service)
		return
	}
	f.aside(f.Others(), w, r)
}

// aside has a handler answer that reads bodies by itself: they have room beside those of calls,
// however long the handler holds them.
func (f *Front) aside(h http.Handler, w http.ResponseWriter, r *http.Request) {
	defer f.Aside.Hold(r, f.Service.Limits.BodyBytes)()
	h.ServeHTTP(w, r)
}

// servePost answers a call of an operation with its output or its error. If a fault takes the
// answer away, it closes the connection instead.
func (f *Front) servePost(w http.ResponseWriter, r *http.Request) {
	contentType := answerType(r)
	if contentType == nil {
		contentType = clusterType(r)
	}
	if contentType == nil {
		if service := foreignService(r); service != "" {
			f.answerForeign(w, r, service)
			return
		}
		f.NotFound(w, r)
		return
	}
	b, received := httpd.Answers.Get(), httpd.Requests.Get()
	defer httpd.Answers.Put(b)
	defer httpd.Requests.Put(received)
	ev := f.Observers.Begin(r, f.Service.Clock)
	status, kind := http.StatusOK, ""
	body, err := f.Call(r, received, *b, ev)
	if err == serve.ErrNoAnswer {
		ev.Answers(len(received.Body), 0, "", nil)
		f.Tell(ev, nil)
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		answer := f.asAnswer(r, err)
		body, status, kind = answer.Append(body[:0]), answer.Type.Status, answer.Type.Name
		ev.Failed(answer)
	}
	*b = body
	ev.Answers(len(received.Body), status, kind, body)
	f.send(w, r, status, contentType, body, ev)
}

// Call runs the operation of a request. It reads the request's body into received, and appends the
// answer to dst. A panic of the operation becomes an internal error of this request alone. ev
// records what the request does; it is nil if there are no observers.
func (f *Front) Call(r *http.Request, received *httpd.Request, dst []byte,
	ev *observe.Recording) (body []byte, err error) {
	operation, who, err := f.recognize(r, ev)
	if err != nil {
		return dst, f.firstFault(r, received, err)
	}
	text, err := f.Transit.ReadBody(r, f.Service.Limits.BodyBytes, received)
	if err != nil {
		return dst, err
	}
	ev.Sends(text)
	if f.Secrets != nil {
		if err := f.Secrets.Verify(r, who, signedFor(operation), received.Body); err != nil {
			return dst, err
		}
	}
	verified := f.Secrets != nil
	service := f.Answering(who.AccessKey)
	account, caller, err := service.Identify(who.AccessKey, r)
	if err != nil {
		return dst, err
	}
	ns := service.Namespaces.Borrow(who)
	defer ns.GiveBack()
	ev.Calls(operation.Name, ns.AccessKey, ns.Region)
	c := ns.NewCall(service, operation)
	c.Owner, c.Caller = arn.Owner{Account: account, Region: ns.Region}, caller
	c.Ctx, c.Memory, c.Event = r.Context(), &received.Decoded, ev
	defer func() {
		if p := recover(); p != nil {
			logPanic(service, operation, p)
			body, err = dst, errPanic
		}
		if c.Policy != nil {
			c.Policy.Finish(err)
		}
		if c.Caller != nil {
			c.Caller.Leave()
		}
		c.End()
	}()
	if service.Policy != nil {
		c.Policy = service.Policy.Begin(operation.Name, ns.AccessKey, ns.PartitionCount().State, r,
			verified)
	}
	if !operation.Borrows {
		text = received.Own(text)
	}
	if body, err = operation.Serve(c, text, dst); err != nil {
		if f.Missing != nil && operation.Borrows && err == serve.ErrNotFound {
			f.Missing(ns.AccessKey, ns.Region, received.Body)
		}
		err = c.Form.Worded(err)
	}
	return body, err
}

func logPanic(s *serve.Service, o *serve.Operation, p any) {
	s.Logger.Error("panic in an operation", slog.String("operation", o.Name),
		slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
}

// recognize reads from the headers of a request which operation it calls, and who does.
func (f *Front) recognize(r *http.Request, ev *observe.Recording) (*serve.Operation,
	auth.Credential, error) {
	target := httpd.First(r.Header["X-Amz-Target"])
	operation := f.Operations[target]
	if operation == nil && strings.HasPrefix(target, string(catalog.Accelerator)) {
		operation = f.Clusters()[target]
	}
	if operation == nil {
		if service := foreignService(r); service != "" {
			return nil, auth.Credential{}, onlyDynamoDB(service)
		}
		return nil, auth.Credential{}, errNoOperation
	}
	service := ""
	if f.Secrets != nil {
		service = signedFor(operation)
	}
	who, err := auth.Authenticate(r, service)
	ev.Calls(operation.Name, who.AccessKey, who.Region)
	if err != nil {
		if f.Secrets != nil {
			err = auth.Dated(r, err, f.Service.Clock())
		}
		return nil, auth.Credential{}, err
	}
	if f.Secrets != nil {
		err = f.Secrets.Admit(r, who, f.Service.Clock(),
			f.Service.Policy.SignedHeader())
	}
	return operation, who, err
}

// signedFor is the service that the signature of an operation's request is for.
func signedFor(o *serve.Operation) string {
	if o.Service == catalog.Accelerator {
		return auth.AcceleratorName
	}
	return auth.SigningName
}

// firstFault returns the error of a request whose headers have one: that of its body, if it has
// one as well, for the service reads the body first (service facts 9.10). With WithCredentials no
// more is read of those who are not known.
func (f *Front) firstFault(r *http.Request, received *httpd.Request, ofHeaders error) error {
	if f.Secrets != nil {
		return ofHeaders
	}
	text, err := f.Transit.ReadBody(r, f.Service.Limits.BodyBytes, received)
	switch {
	case err != nil:
		return err
	case text != "" && !wire.IsJSON(text):
		return item.ErrSyntax
	}
	return ofHeaders
}
