package emulatortest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// seen holds what a program sees of a call.
type seen struct {
	Item      attributes
	Err       string // the error without the id of the request
	Attempts  int
	Status    int
	RequestID bool
	Response  bool // the metadata have the response that the SDK has read
	Bytes     int  // what the HTTP client was given
}

var requestIDs = regexp.MustCompile("RequestID: [A-Z0-9]+")

// TestDirect: a program sees the same of a client that goes directly.
func TestDirect(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault *fault.Fault
		call  func(context.Context, *dynamodb.Client) (attributes, middleware.Metadata, error)
	}{
		{name: "an item", call: getNote("a")},
		{name: "no item", call: getNote("b")},
		{name: "what the SDK refuses", call: func(ctx context.Context, db *dynamodb.Client) (
			attributes, middleware.Metadata, error) {
			out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("notes")})
			return nil, metadataOf(out, err), err
		}},
		{name: "what the service refuses", call: func(ctx context.Context, db *dynamodb.Client) (
			attributes, middleware.Metadata, error) {
			out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("others"),
				Key: attributes{"id": text("a")}})
			return nil, metadataOf(out, err), err
		}},
		{name: "a retry", fault: &fault.Fault{Do: fault.InternalServerError(),
			When: fault.And(fault.Operation("GetItem"), fault.First(1))}, call: getNote("a")},
		{name: "too many retries", fault: &fault.Fault{When: fault.Operation("GetItem"),
			Do: fault.InternalServerError()}, call: getNote("a")},
		{name: "a lost answer", fault: &fault.Fault{Do: fault.LoseResponse(),
			When: fault.And(fault.Operation("GetItem"), fault.First(1))}, call: getNote("a")},
		{name: "a context that has ended", call: func(ctx context.Context, db *dynamodb.Client) (
			attributes, middleware.Metadata, error) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return getNote("a")(ctx, db)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []seen
			for _, direct := range []bool{false, true} {
				s := emulatortest.Start(t)
				s.SeedTables(t, seed.Table{Name: "notes",
					PartitionKey: seed.Attribute{Name: "id", Type: "S"},
					Items:        []seed.Item{{"id": "a", "text": "x"}}})
				if c.fault != nil {
					s.AddFault(t, *c.fault)
				}
				counted := &counting{}
				fns := []func(*dynamodb.Options){func(o *dynamodb.Options) {
					counted.next, o.HTTPClient = o.HTTPClient, counted
				}}
				if direct {
					fns = append(fns, emulatortest.Direct)
				}
				item, metadata, err := c.call(t.Context(), s.ClientOf(s.Emulator, fns...))
				all = append(all, seenOf(item, metadata, err, counted))
			}
			assert.Equal(t, all[0], all[1])
		})
	}
}

func getNote(id string) func(context.Context, *dynamodb.Client) (attributes, middleware.Metadata,
	error) {
	return func(ctx context.Context, db *dynamodb.Client) (attributes, middleware.Metadata, error) {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("notes"),
			Key: attributes{"id": text(id)}})
		if err != nil {
			return nil, middleware.Metadata{}, err
		}
		return out.Item, out.ResultMetadata, nil
	}
}

func metadataOf(out *dynamodb.GetItemOutput, err error) middleware.Metadata {
	if err != nil {
		return middleware.Metadata{}
	}
	return out.ResultMetadata
}

func seenOf(item attributes, m middleware.Metadata, err error, by *counting) seen {
	s := seen{Item: item, Bytes: by.bytes}
	if results, ok := retry.GetAttemptResults(m); ok {
		s.Attempts = len(results.Results)
	}
	_, s.RequestID = awsmiddleware.GetRequestIDMetadata(m)
	_, s.Response = awsmiddleware.GetRawResponse(m).(*smithyhttp.Response)
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		s.Status = response.HTTPStatusCode()
	}
	if err != nil {
		s.Err = requestIDs.ReplaceAllString(err.Error(), "")
	}
	return s
}

// counting is an HTTP client that counts the bytes of bodies.
type counting struct {
	next  dynamodb.HTTPClient
	bytes int
}

func (c *counting) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	c.bytes += len(body)
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	return c.next.Do(again)
}

// TestDirectLeavesOut: what a direct client leaves out, and who leaves out nothing.
func TestDirectLeavesOut(t *testing.T) {
	keys := credentials.NewStaticCredentialsProvider("another", "secret", "")
	nothing := func(*middleware.Stack) error { return nil }
	for _, c := range []struct {
		name   string
		fns    []func(*dynamodb.Options)
		agent  bool // the request says what the client is
		signed bool
	}{
		{"an ordinary client", nil, true, false},
		{"direct", []func(*dynamodb.Options){emulatortest.Direct}, false, false},
		{"with credentials of its own", []func(*dynamodb.Options){
			func(o *dynamodb.Options) { o.Credentials = keys }, emulatortest.Direct}, true, true},
		{"with steps of its own", []func(*dynamodb.Options){
			dynamodb.WithAPIOptions(nothing), emulatortest.Direct}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got *http.Request
			watch := func(o *dynamodb.Options) {
				next := o.HTTPClient
				o.HTTPClient = doFunc(func(r *http.Request) (*http.Response, error) {
					got = r
					return next.Do(r)
				})
			}
			db := emulatortest.NewClient(emulator.New(), emulatortest.WithClientOptions(
				append([]func(*dynamodb.Options){watch}, c.fns...)...))
			_, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{})
			require.NoError(t, err)
			assert.Equal(t, c.agent, got.Header.Get("User-Agent") != "")
			assert.Equal(t, c.signed, got.Header.Get("Authorization") != "")
			pages := dynamodb.NewListTablesPaginator(db, &dynamodb.ListTablesInput{})
			_, err = pages.NextPage(t.Context())
			require.NoError(t, err, "options of a call are held")
		})
	}
}
