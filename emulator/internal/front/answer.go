package front

import (
	"errors"
	"hash/crc32"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// asAnswer is the answer for an error. One that has none is our own, and logged.
func (f *Front) asAnswer(r *http.Request, err error) *apierr.Error {
	if answer := apierr.As(err); answer != nil {
		return answer
	}
	level := slog.LevelError
	if errors.As(err, new(*httpd.CodingError)) {
		level = slog.LevelWarn // the client's mistake, and the answer does not tell of it
	}
	if err != errPanic {
		f.Service.Logger.Log(r.Context(), level, "operation failed",
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

var clusterTypes = []string{"application/x-amz-json-1.1"}

// clusterType is answerType for the operations on clusters of DAX.
func clusterType(r *http.Request) []string {
	if httpd.First(r.Header["Content-Type"]) == clusterTypes[0] &&
		strings.HasPrefix(httpd.First(r.Header["X-Amz-Target"]), string(catalog.Accelerator)) {
		return clusterTypes
	}
	return nil
}

// send sends an answer, compressed if the request asks for that, once observers
// have been told of it. The checksum is that of the bytes as sent.
func (f *Front) send(w http.ResponseWriter, r *http.Request, status int, contentType []string,
	body []byte, ev *observe.Recording) {
	h := w.Header()
	if coding := httpd.AnswerCoding(r.Header["Accept-Encoding"], len(body)); coding != nil {
		b := httpd.Answers.Get()
		defer httpd.Answers.Put(b)
		*b = coding.Compress(*b, body)
		body = *b
		h["Content-Encoding"] = coding.Header
	}
	values := f.answerHeaders(body)
	h["Server"] = serverHeader
	h["Connection"] = keepAliveHeader
	h["Content-Type"] = contentType
	h["X-Amzn-Requestid"] = values[0:1:1]
	h["X-Amz-Crc32"] = values[1:2:2]
	h["Content-Length"] = values[2:3:3]
	f.Origins.Allow(h, r)
	httpd.JoinParts(r, len(body))
	f.Tell(ev, h)
	w.WriteHeader(status)
	httpd.AwaitClient(w, len(body))
	w.Write(body) // an error is the client's, who is gone
}

// Tell calls the observers with the event of a request. h has the headers of the answer, if the
// request got one.
func (f *Front) Tell(ev *observe.Recording, h http.Header) {
	if ev == nil {
		return
	}
	ev.Duration = f.Service.Clock().Sub(ev.Time)
	ev.RequestID = httpd.First(h["X-Amzn-Requestid"])
	ev.Tell()
	ev.Free()
}

// answerHeaders are the values of the headers that differ from answer to answer:
// request id, checksum and length. All of them are parts of one string.
func (f *Front) answerHeaders(body []byte) *[3]string {
	var space [96]byte
	b := f.Service.Random.AppendRequestID(space[:0])
	id := len(b)
	b = strconv.AppendUint(b, uint64(crc32.ChecksumIEEE(body)), 10)
	sum := len(b)
	text := string(strconv.AppendInt(b, int64(len(body)), 10))
	return &[3]string{text[:id], text[id:sum], text[sum:]}
}

// NotFound answers what is no call of an operation at all. If it is too large, that counts
// (service facts 9.10).
func (f *Front) NotFound(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > f.Service.Limits.BodyBytes {
		f.send(w, r, apierr.RequestTooLarge.Status, jsonTypes["application/json"],
			httpd.ErrTooLarge.Append(nil), nil)
		return
	}
	f.sendText(w, r, http.StatusNotFound, "<UnknownOperationException/>\n")
}

// sendText sends an answer that is not JSON, with the headers that all answers have.
func (f *Front) sendText(w http.ResponseWriter, r *http.Request, status int, body string) {
	h := w.Header()
	h["Server"] = serverHeader
	values := f.answerHeaders([]byte(body))
	h["X-Amzn-Requestid"] = values[0:1:1]
	h["X-Amz-Crc32"] = values[1:2:2]
	h["Content-Length"] = values[2:3:3]
	if body != "" {
		h["Content-Type"] = []string{"text/plain"}
	}
	f.Origins.Allow(h, r)
	w.WriteHeader(status)
	w.Write([]byte(body))
}
