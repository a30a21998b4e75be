package trigger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kugiri-db/kugiri/conventions/outgoing"
)

// maxCall is how long a call of a function takes at most (Lambda quotas, Function timeout).
const maxCall = 15 * time.Minute

// maxResponse is how many bytes of a response are read.
const maxResponse = MaxEvent

// responseMemory is how many bytes of the responses of all functions are held, beyond the first
// smallResponse of each. One that finds no room is an error, after which its batch is tried again.
const (
	responseMemory = 128 << 20
	smallResponse  = 64 << 10
)

// responses has the room of responses.
var responses = semaphore.NewWeighted(responseMemory)

// errNoRoom is the error of a response for which there is no room.
var errNoRoom = errors.New("too many functions answer with much at a time")

// roomyReader reads a response within responses.
type roomyReader struct {
	from io.Reader
	left int   // bytes for which there is room
	held int64 // bytes that it holds of responses
}

// Read implements io.Reader.
func (r *roomyReader) Read(b []byte) (int, error) {
	if r.left == 0 {
		if !responses.TryAcquire(smallResponse) {
			return 0, errNoRoom
		}
		r.left, r.held = smallResponse, r.held+smallResponse
	}
	n, err := r.from.Read(b[:min(len(b), r.left)])
	r.left -= n
	return n, err
}

// release gives back the room.
func (r *roomyReader) release() { responses.Release(r.held) }

// HTTP returns a function that posts each event to a URL: that of the Lambda runtime interface
// emulator, or any other. A status other than 2xx is an error, and so is the answer of a function
// of Lambda that failed: the header X-Amz-Function-Error, or an object with errorMessage and
// errorType. It follows no redirects, and connects only to addresses that package outgoing allows.
func HTTP(url string) Function {
	client := outgoing.Client(url, maxCall)
	return func(ctx context.Context, event []byte) ([]byte, error) {
		response, header, err := post(ctx, client, url, event)
		if err != nil {
			return nil, err
		}
		var failure struct {
			Type    *string `json:"errorType"`
			Message *string `json:"errorMessage"`
		}
		isObject := json.Unmarshal(response, &failure) == nil
		switch {
		case header.Get("X-Amz-Function-Error") != "":
			return nil, fmt.Errorf("the function failed: %.200s", response)
		case isObject && failure.Message != nil && failure.Type != nil:
			return nil, fmt.Errorf("the function failed: %.200s: %.200s", *failure.Type,
				*failure.Message)
		}
		return response, nil
	}
}

// post sends JSON to a URL and returns the response.
func post(ctx context.Context, client *http.Client, url string, body []byte) (response []byte,
	header http.Header, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	in := &roomyReader{from: answer.Body, left: smallResponse}
	defer in.release()
	response, err = io.ReadAll(io.LimitReader(in, maxResponse+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(response) > maxResponse:
		return nil, nil, fmt.Errorf("the response has more than %d bytes", maxResponse)
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return nil, nil, fmt.Errorf("%s: %.200s", answer.Status, response)
	}
	return response, answer.Header, nil
}

// DiscardedToURL returns a destination that posts what is given up to a URL.
func DiscardedToURL(url string) Discarded {
	client := outgoing.Client(url, time.Minute)
	return func(ctx context.Context, text []byte) error {
		_, _, err := post(ctx, client, url, text)
		return err
	}
}

// DiscardedToFile returns a destination that appends what is given up to a file, a line each. Calls
// may overlap.
func DiscardedToFile(name string) Discarded {
	var mu sync.Mutex
	return func(_ context.Context, text []byte) (err error) {
		mu.Lock()
		defer mu.Unlock()
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		if _, err = f.Write(text); err != nil {
			_ = f.Close()
			return err
		}
		return f.Close()
	}
}

// Put puts an object into a bucket.
type Put func(ctx context.Context, bucket, key string, content []byte) error

// DiscardedToBucket returns a destination that puts what is given up into a bucket, an object each,
// with the keys that Lambda gives them (Lambda Developer Guide, "Retain discarded records for a
// DynamoDB event source in Lambda").
func DiscardedToBucket(bucket string, put Put) Discarded {
	mapping := newRequestID()
	return func(ctx context.Context, text []byte) error {
		var in struct {
			Timestamp          time.Time
			DDBStreamBatchInfo struct{ ShardID string }
		}
		if err := json.Unmarshal(text, &in); err != nil {
			return err
		}
		key := fmt.Sprintf("aws/lambda/%s/%s/%s-%s", mapping, in.DDBStreamBatchInfo.ShardID,
			in.Timestamp.Format("2006/01/02/2006-01-02T15.04.05"), newRequestID())
		return put(ctx, bucket, key, text)
	}
}

// Trigger makes the trigger of a definition, by HTTP. put is for what goes to a bucket; without it
// a bucket is refused.
func (d Definition) Trigger(put Put) (*Trigger, error) {
	switch m := &d.Mapping; {
	case d.Failures == "":
	case isURL(d.Failures):
		m.OnFailure = DiscardedToURL(d.Failures)
	case d.Bucket() == "":
		m.OnFailure = DiscardedToFile(d.Failures)
	case put == nil:
		return nil, fmt.Errorf("%s is not there: there are no buckets", d.Failures)
	default:
		m.OnFailure, m.OnFailurePayload = DiscardedToBucket(d.Bucket(), put), true
	}
	return New(d.Mapping, d.Function, HTTP(d.Function))
}
