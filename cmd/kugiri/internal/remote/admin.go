package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/admin"
)

// maxAnswer bounds an answer of the endpoint: more than DynamoDB sends.
const maxAnswer = 32 << 20

// BodyOf returns the body of an answer, or the error that it has.
func BodyOf(answer *http.Response, failure func(body []byte) error) ([]byte, error) {
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		return nil, failure(text)
	}
	return text, nil
}

// ErrUnreachable is the error of an endpoint that gives no answer.
var ErrUnreachable = errors.New("the endpoint does not answer")

// API sends a request to the admin API of an endpoint.
type API = func(ctx context.Context, method, path string, body any) ([]byte, error)

// AdminOf returns the admin API of an endpoint. token is "" for an endpoint without one.
func AdminOf(e *Endpoint, token string) API {
	return func(ctx context.Context, method, path string, body any) ([]byte, error) {
		var text []byte
		if body != nil {
			var err error
			if text, err = json.Marshal(body); err != nil {
				return nil, err
			}
		}
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, method,
			strings.TrimSuffix(e.Base, "/")+admin.Prefix+path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := e.Client.Do(r)
		if err != nil {
			return nil, errors.Join(ErrUnreachable, err)
		}
		return BodyOf(answer, func(text []byte) error {
			var failed struct{ Error string }
			if json.Unmarshal(text, &failed) != nil || failed.Error == "" {
				return errors.New(answer.Status)
			}
			return errors.New(failed.Error)
		})
	}
}
