package emulator_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// The clients that verifying services of these tests know.
var (
	known     = aws.Credentials{AccessKeyID: "AKIDKNOWN", SecretAccessKey: "its/secret"}
	temporary = aws.Credentials{
		AccessKeyID: "ASIATEMP", SecretAccessKey: "other", SessionToken: "token+/=",
	}
	noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
)

// verifying is a service that verifies signatures, at noon.
func verifying(more ...emulator.Option) *emulator.Emulator {
	return emulator.New(append([]emulator.Option{
		emulator.WithClock(func() time.Time { return noon }),
		emulator.WithCredentials(map[string]emulator.Secret{
			known.AccessKeyID: {Key: known.SecretAccessKey},
			temporary.AccessKeyID: {Key: temporary.SecretAccessKey,
				SessionToken: temporary.SessionToken, Expires: noon.Add(time.Hour)},
			"ASIAOLD": {Key: "old", SessionToken: "old", Expires: noon},
		}),
	}, more...)...)
}

// listTables is a call that is not signed yet.
func listTables(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://dynamodb.us-east-1.amazonaws.com/",
		strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	return r
}

// sign signs with the SDK's signer.
func sign(t *testing.T, r *http.Request, body string, creds aws.Credentials,
	at time.Time) *http.Request {
	hash := sha256.Sum256([]byte(body))
	require.NoError(t,
		v4.NewSigner().SignHTTP(t.Context(), creds, r, hex.EncodeToString(hash[:]), "dynamodb",
			"us-east-1", at))
	return r
}

// presign signs in the query.
func presign(t *testing.T, creds aws.Credentials, at time.Time, expires string) *http.Request {
	r, hash := listTables(`{}`), sha256.Sum256([]byte(`{}`))
	if expires != "" {
		r.URL.RawQuery = "X-Amz-Expires=" + expires
	}
	signed, _, err := v4.NewSigner().PresignHTTP(t.Context(), creds, r, hex.EncodeToString(hash[:]),
		"dynamodb", "us-east-1", at)
	require.NoError(t, err)
	u, err := url.Parse(signed)
	require.NoError(t, err)
	out := listTables(`{}`)
	out.URL.RawQuery = u.RawQuery
	return out
}

// reworded changes a request's Authorization header.
func reworded(r *http.Request, from, to string) *http.Request {
	r.Header.Set("Authorization", strings.ReplaceAll(r.Header.Get("Authorization"), from, to))
	return r
}

func TestVerifiedSignatures(t *testing.T) {
	zip := func() string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(`{}`))
		z.Close()
		return b.String()
	}()
	zipped := listTables(zip)
	zipped.Header.Set("Content-Encoding", "gzip")
	spaced := listTables(`{}`)
	spaced.Header.Set("X-Amz-Meta", "  a   b ")
	dated := listTables(`{}`)
	dated.Header.Set("Date", noon.Format(http.TimeFormat))
	good := func() *http.Request { return sign(t, listTables(`{}`), `{}`, known, noon) }
	for _, c := range []struct {
		name string
		in   *http.Request
	}{
		{"in the header", sign(t, listTables(`{}`), `{}`, known, noon)},
		{"of fifteen minutes ago",
			sign(t, listTables(`{}`), `{}`, known, noon.Add(-15*time.Minute))},
		{"in fifteen minutes", sign(t, listTables(`{}`), `{}`, known, noon.Add(15*time.Minute))},
		{"with a session token", sign(t, listTables(`{}`), `{}`, temporary, noon)},
		{"of a compressed body, as sent", sign(t, zipped, zip, known, noon)},
		{"of a header with many spaces", sign(t, spaced, `{}`, known, noon)},
		{"with a Date as well", sign(t, dated, `{}`, known, noon)},
		{"presigned", presign(t, known, noon, "")},
		{"presigned with a session token", presign(t, temporary, noon, "")},
		{"presigned for long", presign(t, known, noon.Add(-time.Hour), "3600")},
		{"presigned for a week", presign(t, known, noon.Add(-7*24*time.Hour), "604800")},
		{"with parameters between blanks", reworded(good(), ", ", " ")}, // service facts 9.6
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			verifying().Handler().ServeHTTP(w, c.in)
			assert.Equal(t, 200, w.Code, "%s", w.Body)
		})
	}
}

func TestWrongSignatures(t *testing.T) {
	const (
		unknown      = `{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}`
		expired      = `{"__type":"com.amazon.coral.service#ExpiredTokenException","message":"The security token included in the request is expired"}`
		wrong        = `{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"`
		incomplete   = `{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"`
		signedHeader = ` must be a 'SignedHeader' in the AWS Authorization."}`
		mismatch     = wrong +
			`The request signature we calculated does not match the signature you provided. ` +
			`Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}`
	)
	with := func(c aws.Credentials, change func(*aws.Credentials)) aws.Credentials {
		change(&c)
		return c
	}
	after := func(r *http.Request, change func(*http.Request)) *http.Request {
		change(r)
		return r
	}
	good := func() *http.Request { return sign(t, listTables(`{}`), `{}`, known, noon) }
	untargeted := listTables(`{}`)
	untargeted.Header.Del("X-Amz-Target")
	for _, c := range []struct {
		name, want string
		in         *http.Request
	}{
		{"an access key that nobody has", unknown,
			sign(t, listTables(`{}`), `{}`,
				with(known, func(c *aws.Credentials) { c.AccessKeyID = "AKIDOTHER" }), noon)},
		{"another session token", unknown,
			sign(t, listTables(`{}`), `{}`,
				with(temporary, func(c *aws.Credentials) { c.SessionToken = "x" }), noon)},
		{"no session token", unknown,
			sign(t, listTables(`{}`), `{}`,
				with(temporary, func(c *aws.Credentials) { c.SessionToken = "" }), noon)},
		{"a session token too many", unknown,
			sign(t, listTables(`{}`), `{}`,
				with(known, func(c *aws.Credentials) { c.SessionToken = "x" }), noon)},
		{"a session that is over", expired,
			sign(t, listTables(`{}`), `{}`,
				aws.Credentials{AccessKeyID: "ASIAOLD", SecretAccessKey: "old",
					SessionToken: "old"}, noon)},
		{"another secret", mismatch,
			sign(t, listTables(`{}`), `{}`,
				with(known, func(c *aws.Credentials) { c.SecretAccessKey = "x" }), noon)},
		{"another body", mismatch, sign(t, listTables(`{}`), `{"Limit":1}`, known, noon)},
		{"another target", mismatch,
			after(good(),
				func(r *http.Request) {
					r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeLimits")
				})},
		{"another host", mismatch, after(good(), func(r *http.Request) { r.Host = "localhost" })},
		{"a query behind its back", mismatch,
			after(good(), func(r *http.Request) { r.URL.RawQuery = "a=b" })},
		{"a signed header taken away", mismatch,
			after(good(),
				func(r *http.Request) { r.Header.Del("Content-Length"); r.ContentLength = -1 })},
		{"the host not signed", wrong + `'Host' or ':authority'` + signedHeader,
			reworded(good(), "host;", "")},
		{"a swapped target that was not signed",
			wrong + `'X-Amz-Target'` + signedHeader, after(
				sign(t, untargeted, `{}`, known, noon), func(r *http.Request) {
					r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeLimits")
				})},
		{"the date not signed", wrong + `'X-Amz-Date'` + signedHeader,
			reworded(good(), "x-amz-date;", "")},
		{"the Date not signed",
			wrong + `'Date'` + signedHeader, after(good(), func(r *http.Request) {
				r.Header.Del("X-Amz-Date")
				r.Header.Set("Date", noon.Format(http.TimeFormat))
			})},
		{"a session token that was not signed", wrong + `'X-Amz-Security-Token'` + signedHeader,
			reworded(sign(t, listTables(`{}`), `{}`, temporary, noon), "x-amz-security-token;",
				"")},
		{"a session token added",
			wrong + `'X-Amz-Security-Token'` + signedHeader, after(good(), func(r *http.Request) {
				r.Header.Set("X-Amz-Security-Token", temporary.SessionToken)
			})},
		{"presigned for another target",
			wrong + `'X-Amz-Target'` + signedHeader, after(
				presign(t, known, noon, ""), func(r *http.Request) {
					r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeLimits")
				})},
		{"presigned for more than a week",
			incomplete + `X-Amz-Expires must be less than a week (in seconds); that is, ` +
				`the given X-Amz-Expires must be less than 604800 seconds"}`,
			presign(t, known, noon, "604801")},
		{"presigned for ages",
			incomplete + `X-Amz-Expires must be less than a week (in seconds); that is, ` +
				`the given X-Amz-Expires must be less than 604800 seconds"}`,
			presign(t, known, noon, "99999999999999999999")},
		{"presigned for less than nothing", incomplete + `X-Amz-Expires must be non-negative"}`,
			presign(t, known, noon, "-1")},
		{"presigned for nobody knows how long", incomplete + `X-Amz-Expires should be a number"}`,
			presign(t, known, noon, "1h")},
		{"for another service",
			wrong + `Credential should be scoped to correct service: 'dynamodb'. "}`,
			reworded(good(), "/dynamodb/", "/s3/")},
		{"too old, for another service",
			wrong + `Credential should be scoped to correct service: 'dynamodb'. Signature expired: ` +
				`20260102T114459Z is now earlier than 20260102T114500Z (20260102T120000Z - 15 min.)"}`,
			reworded(sign(t, listTables(`{}`), `{}`, known, noon.Add(-15*time.Minute-time.Second)),
				"/dynamodb/", "/s3/")},
		{"too new, for another service",
			wrong + `Credential should be scoped to correct service: 'dynamodb'. Signature not yet ` +
				`current: 20260102T121501Z is still later than 20260102T121500Z (20260102T120000Z + 15 min.)"}`,
			reworded(sign(t, listTables(`{}`), `{}`, known, noon.Add(15*time.Minute+time.Second)),
				"/dynamodb/", "/s3/")},
		{"too old, whoever it is, between blanks",
			wrong + `Signature expired: 20260101T000000Z is now earlier than 20260102T114500Z (20260102T120000Z - 15 min.)"}`,
			after(listTables(`{}`), func(r *http.Request) {
				r.Header.Set("X-Amz-Date", "20260101T000000Z")
				r.Header.Set("Authorization",
					"AWS4-HMAC-SHA256 Credential=NOBODY/20260101/r/dynamodb/aws4_request SignedHeaders=x-amz-date;host Signature=1")
			})},
		{"too old",
			wrong + `Signature expired: 20260102T114459Z is now earlier than 20260102T114500Z (20260102T120000Z - 15 min.)"}`,
			sign(t, listTables(`{}`), `{}`, known, noon.Add(-15*time.Minute-time.Second))},
		{"too new",
			wrong + `Signature not yet current: 20260102T121501Z is still later than 20260102T121500Z (20260102T120000Z + 15 min.)"}`,
			sign(t, listTables(`{}`), `{}`, known, noon.Add(15*time.Minute+time.Second))},
		{"presigned, too old",
			wrong + `Signature expired: 20260102T114459Z is now earlier than 20260102T114500Z (20260102T120000Z - 15 min.)"}`,
			presign(t, known, noon.Add(-15*time.Minute-time.Second), "")},
		{"presigned, over",
			wrong + `Signature expired: 20260102T115859Z is now earlier than 20260102T115900Z (20260102T120000Z - 1 min.)"}`,
			presign(t, known, noon.Add(-time.Minute-time.Second), "60")},
		{"presigned with another secret", mismatch,
			presign(t, with(known, func(c *aws.Credentials) { c.SecretAccessKey = "x" }), noon,
				"")},
		{"no date",
			incomplete +
				`Date must be in ISO-8601 'basic format'. Got '2026-01-02'. See http://en.wikipedia.org/wiki/ISO_8601"}`,
			after(good(), func(r *http.Request) { r.Header.Set("X-Amz-Date", "2026-01-02") })},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			verifying().Handler().ServeHTTP(w, c.in)
			assert.Equal(t, 400, w.Code)
			assert.Equal(t, c.want, w.Body.String())
		})
	}
}

// TestSDKsAreVerified: what the SDK signs by itself is right, and its error is the service's.
func TestSDKsAreVerified(t *testing.T) {
	service := emulator.New(
		emulator.WithCredentials(map[string]emulator.Secret{"AKID": {Key: "right"}}))
	server, err := service.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	client := func(secret string) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{BaseEndpoint: &server.URL, Region: "eu-west-1",
			Retryer:     aws.NopRetryer{},
			Credentials: credentials.NewStaticCredentialsProvider("AKID", secret, "")})
	}
	_, err = client("right").CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	_, err = client("right").PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: userItem("ü\n")})
	require.NoError(t, err)
	streams := dynamodbstreams.New(dynamodbstreams.Options{BaseEndpoint: &server.URL,
		Region: "eu-west-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("AKID", "right", "")})
	_, err = streams.ListStreams(t.Context(), nil)
	require.NoError(t, err)

	_, err = client("wrong").DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("users")})
	var answer smithy.APIError
	require.ErrorAs(t, err, &answer)
	assert.Equal(t, "InvalidSignatureException", answer.ErrorCode())
	tables, err := client("right").ListTables(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"users"}, tables.TableNames, "what is refused changes nothing")
}

func FuzzVerify(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=AKIDKNOWN/20260102/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc", "20260102T120000Z", "")
	f.Add("", "",
		"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDKNOWN%2F20260102%2Fr%2Fdynamodb%2Faws4_request&X-Amz-Date=20260102T120000Z&X-Amz-Expires=9&X-Amz-SignedHeaders=host&X-Amz-Signature=a")
	service := verifying()
	f.Fuzz(func(t *testing.T, authorization, date, query string) {
		r := listTables(`{}`)
		r.Header["Authorization"], r.Header["X-Amz-Date"] = []string{authorization}, []string{date}
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		service.Handler().ServeHTTP(w, r)
		require.Equal(t, 400, w.Code, "nobody can guess a signature")
		require.Contains(t, w.Body.String(), "Exception")
	})
}

// TestClientsInProcessAreTrusted: they need no signature, but one that they have is verified.
func TestClientsInProcessAreTrusted(t *testing.T) {
	service := verifying()
	client := service.HTTPClient("AKIDOTHER", "us-east-1")
	for _, c := range []struct {
		name string
		in   *http.Request
		want int
	}{
		{"unsigned", listTables(`{}`), 200},
		{"signed", sign(t, listTables(`{}`), `{}`, known, noon), 200},
		{"signed by nobody",
			sign(t, listTables(`{}`), `{}`,
				aws.Credentials{AccessKeyID: "AKIDOTHER", SecretAccessKey: "x"}, noon), 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := client.Do(c.in)
			require.NoError(t, err)
			assert.Equal(t, c.want, res.StatusCode)
		})
	}
	w := httptest.NewRecorder()
	service.Handler().ServeHTTP(w, listTables(`{}`))
	assert.Contains(t, w.Body.String(), "MissingAuthenticationTokenException", "from elsewhere")
}
