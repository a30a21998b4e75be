package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// maxBody is how many bytes the body of a request may have.
const maxBody = 1 << 20

// handler returns the status and the body of an answer, or an error.
type handler func(r *http.Request) (status int, body any, err error)

// problem is an error in a request.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func badRequest(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &problem{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &problem{http.StatusConflict, fmt.Sprintf(format, args...)}
}

func failed(err error) (int, any, error) { return 0, nil, err }

func fail(status int, text string) (int, any, error) { return failed(&problem{status, text}) }

// done returns an answer without content.
func done() (int, any, error) { return http.StatusOK, struct{}{}, nil }

// answer serves the result of a handler.
func answer(f handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, body, err := f(r)
		if err != nil {
			status, body = http.StatusInternalServerError, map[string]string{"error": err.Error()}
			var p *problem
			if errors.As(err, &p) {
				status = p.status
			}
		}
		send(w, status, body)
	})
}

func send(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer is no JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) // an error means that the client is gone
}

// read reads a body. Its Content-Type must be JSON, or the one that curl sends with -d. A script of
// another origin cannot send JSON without a preflight request (Fetch standard, "CORS-safelisted
// request-header"). A page's form can send curl's type, but it escapes braces and quotes, so the
// body is not JSON. The header Origin reveals scripts (refusal).
func read(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, &problem{http.StatusRequestEntityTooLarge,
				fmt.Sprintf("the body has more than %d bytes", maxBody)}
		}
		return nil, badRequest("the body: %v", err)
	}
	if len(text) == 0 {
		return nil, nil
	}
	given := r.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(given); err != nil || media != "application/json" &&
		media != "application/x-www-form-urlencoded" {
		return nil, &problem{http.StatusUnsupportedMediaType,
			fmt.Sprintf("the Content-Type of a body is application/json, not %q", given)}
	}
	return text, nil
}

// decode reads a body into in, which must have a field for every member.
func decode(r *http.Request, in any) error {
	text, err := read(r)
	if err != nil {
		return err
	}
	if text == nil {
		return badRequest("there is no body, which is to be JSON")
	}
	return unmarshal(text, in)
}

// unmarshal accepts one object that has no unknown members.
func unmarshal(text []byte, in any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return badRequest("the body: %v", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return badRequest("the body: something comes after the object")
	}
	if err := jsontext.CheckUnicode(string(text)); err != nil {
		return badRequest("the body: %v", err)
	}
	return nil
}

// nothing reads the body of a request that has no parameters: empty, or {}.
func nothing(r *http.Request) error {
	text, err := read(r)
	if err != nil || text == nil {
		return err
	}
	return unmarshal(text, new(struct{}))
}

// rawItem returns an item as the service writes it, nil for "".
func rawItem(it item.Item) json.RawMessage {
	if it == "" {
		return nil
	}
	return json.RawMessage(it.JSON())
}
