package auth

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// signed makes a request with an Authorization header and an X-Amz-Date ("" for none).
func signed(authorization, date string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header = http.Header{}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	if date != "" {
		r.Header.Set("X-Amz-Date", date)
	}
	return r
}

func TestAuthenticate(t *testing.T) {
	const date = "20260102T030405Z"
	for _, c := range []struct {
		name          string
		authorization string
		want          Credential
	}{
		{"as the SDKs write it",
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc",
			Credential{Scope: "AKID/20260102/eu-west-1", AccessKey: "AKID", Region: "eu-west-1"}},
		{"without spaces",
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request,SignedHeaders=host,Signature=abc",
			Credential{Scope: "AKID/20260102/r", AccessKey: "AKID", Region: "r"}},
		{"separated by blanks alone", // service facts 9.6
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request SignedHeaders=host;x-amz-date  Signature=abc",
			Credential{Scope: "AKID/20260102/r", AccessKey: "AKID", Region: "r"}},
		{"in another order",
			"AWS4-HMAC-SHA256 Signature=a=, SignedHeaders=host, Credential=a key/20260102/r/dynamodb/aws4_request",
			Credential{Scope: "a key/20260102/r", AccessKey: "a key", Region: "r"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Authenticate(signed(c.authorization, date), SigningName)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	t.Run("for another service, where nothing is verified", func(t *testing.T) {
		for _, service := range []string{"", "s3", "localhost"} {
			r := signed("AWS4-HMAC-SHA256 Credential=AKID/20260102/r/"+service+
				"/aws4_request, SignedHeaders=host, Signature=abc", date)
			got, err := Authenticate(r, "")
			require.NoError(t, err)
			assert.Equal(t, Credential{Scope: "AKID/20260102/r", AccessKey: "AKID", Region: "r"},
				got)
			_, err = Authenticate(r, SigningName)
			assert.EqualError(t, err,
				"InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'. ")
		}
	})
	t.Run("presigned", func(t *testing.T) {
		r := signed("", "")
		r.URL.RawQuery =
			"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20260102%2Fr%2Fdynamodb%2Faws4_request&X-Amz-Date=" + date +
				"&X-Amz-SignedHeaders=host&X-Amz-Signature=abc"
		got, err := Authenticate(r, SigningName)
		require.NoError(t, err)
		assert.Equal(t, Credential{Scope: "AKID/20260102/r", AccessKey: "AKID", Region: "r"}, got)
	})
	t.Run("with a Date", func(t *testing.T) {
		r := signed(
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=abc", "")
		r.Header.Set("Date", "Fri, 02 Jan 2026 03:04:05 GMT")
		_, err := Authenticate(r, SigningName)
		assert.NoError(t, err)
	})
}

func TestAuthenticateErrors(t *testing.T) {
	const (
		date = "20260102T030405Z"
		good = "Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=abc"
		// service facts 9.8
		noToken    = "MissingAuthenticationTokenException: Request is missing Authentication Token"
		incomplete = "IncompleteSignatureException: "
		wrong      = "InvalidSignatureException: "
		twice      = wrong +
			"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
		noDate   = incomplete + "Date must be in ISO-8601 'basic format'. Got '"
		seeISO   = "'. See http://en.wikipedia.org/wiki/ISO_8601"
		elements = incomplete +
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '"
	)
	for _, c := range []struct{ name, authorization, date, want string }{
		{"nothing", "", date, noToken},
		{"another scheme", "Bearer x", date, noToken},
		{"another algorithm", "AWS4-HMAC-SHA512 " + good, date, noToken},
		{"only the algorithm", "AWS4-HMAC-SHA256", "",
			incomplete + "Authorization header requires 'Credential' parameter. " +
				"Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. " +
				"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256"},
		{"no signature", "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host", date, incomplete +
			"Authorization header requires 'Signature' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host"},
		{"no date", "AWS4-HMAC-SHA256 " + good, "", incomplete +
			"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256 " + good},
		{"no pair", "AWS4-HMAC-SHA256 foo", date,
			incomplete +
				"'foo' not a valid key=value pair (missing equal-sign) in Authorization header: 'AWS4-HMAC-SHA256 foo'."},
		{"half a scope",
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/r, SignedHeaders=host, Signature=abc", date,
			elements + "AKID/20260102/r'"},
		{"a long scope",
			"AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request/x, SignedHeaders=host, Signature=abc", date, elements + "AKID/20260102/r/dynamodb/aws4_request/x'"},
		{"no access key",
			"AWS4-HMAC-SHA256 Credential=/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=abc", date, elements + "/20260102/r/dynamodb/aws4_request'"},
		{"another service", "AWS4-HMAC-SHA256 " + strings.Replace(good, "dynamodb", "s3", 1), date,
			wrong + "Credential should be scoped to correct service: 'dynamodb'. "},
		{"no region", "AWS4-HMAC-SHA256 " + strings.Replace(good, "/r/", "//", 1), date,
			wrong + "Credential should be scoped to a valid region. "},
		{"another terminator", "AWS4-HMAC-SHA256 " + strings.Replace(good, "aws4_request", "x", 1),
			date, wrong +
				"Credential should be scoped with a valid terminator: 'aws4_request', not 'x'. "},
		{"another day", "AWS4-HMAC-SHA256 " + good, "20260103T030405Z", wrong +
			"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20260102' != '20260103', from '20260103T030405Z'. "},
		{"a date in another form", "AWS4-HMAC-SHA256 " + good, "2026-01-02T03:04:05Z",
			noDate + "2026-01-02T03:04:05Z" + seeISO},
		{"a date of letters", "AWS4-HMAC-SHA256 " + good, "20260102TabcdefZ",
			noDate + "20260102TabcdefZ" + seeISO},
		{"a date without its T", "AWS4-HMAC-SHA256 " + good, "20260102x030405Z",
			noDate + "20260102x030405Z" + seeISO},
		{"another day, by a Date header", "AWS4-HMAC-SHA256 " + good,
			"Sat, 03 Jan 2026 03:04:05 GMT", wrong +
				"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20260102' != '20260103', from '20260103T030405Z'. "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Authenticate(signed(c.authorization, c.date), SigningName)
			assert.EqualError(t, err, c.want)
		})
	}
	t.Run("a date in another form, where nothing is verified", func(t *testing.T) {
		_, err := Authenticate(signed("AWS4-HMAC-SHA256 "+good, "2026-01-02"), "")
		assert.EqualError(t, err, noDate+"2026-01-02"+seeISO)
	})
	const partner = "AWS query-string parameters must include '"
	for _, c := range []struct{ name, authorization, query, want string }{ // service facts 9.11
		{"half a presigned request", "",
			"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-SignedHeaders=host",
			incomplete + partner + "X-Amz-Credential'. " +
				partner + "X-Amz-Signature'. " + partner +
				"X-Amz-Date'. Re-examine the query-string parameters."},
		{"only the algorithm of a presigned request", "", "X-Amz-Algorithm=AWS4-HMAC-SHA256",
			incomplete + partner + "X-Amz-Credential'. " +
				partner + "X-Amz-Signature'. " + partner + "X-Amz-SignedHeaders'. " + partner +
				"X-Amz-Date'. Re-examine the query-string parameters."},
		{"no algorithm's name, and nothing else", "", "X-Amz-Algorithm",
			incomplete + partner + "X-Amz-Credential'. " +
				partner + "X-Amz-Signature'. " + partner + "X-Amz-SignedHeaders'. " + partner +
				"X-Amz-Date'. Re-examine the query-string parameters."},
		{"presigned by another algorithm", "",
			"X-Amz-Algorithm=AWS4-HMAC-SHA512&X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", noToken},
		{"presigned without an algorithm", "",
			"X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", noToken},
		{"signed twice", "AWS4-HMAC-SHA256 " + good, "a=b&X-Amz-Algorithm=AWS4-HMAC-SHA256", twice},
		{"signed twice, each time badly", "Bearer x", "X-Amz-Algorithm", twice},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := signed(c.authorization, "")
			r.URL.RawQuery = c.query
			_, err := Authenticate(r, SigningName)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestAuthenticateAllocatesNothing(t *testing.T) {
	r := signed(
		"AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=abc", "20260102T030405Z")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := Authenticate(r, SigningName); err != nil {
			t.Fatal(err)
		}
	}))
}

// FuzzRecent sends a second request whose header differs from that of the first in its end or its
// date. The answer is the same as without the first.
func FuzzRecent(f *testing.F) {
	const date = "20260102T030405Z"
	first := "AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature="
	digits := strings.Repeat("0a", signatureDigits/2)
	for _, c := range []struct{ end, date string }{
		{strings.Repeat("1b", signatureDigits/2), "20260102T235959Z"},
		{digits, "20260103T030405Z"},
		{digits, "20260102"},
		{digits, ""},
		{strings.Repeat(" ", signatureDigits), date},
		{strings.Repeat("1", signatureDigits-1) + "\u00a0", date},
		{"1, Credential=AKID/20260102/other/dynamodb/aws4_request, Region=12", date},
		{"1 Credential=AKID/20260102/other/dynamodb/aws4_request Region=12345", date},
		{"", date},
	} {
		f.Add(first+digits, date, c.end, c.date)
	}
	f.Add(strings.Replace(first, "Signature=", "xSignature=", 1)+digits, date, digits, date)
	f.Fuzz(func(t *testing.T, header, date, end, date2 string) {
		_, _ = Authenticate(signed(header, date), SigningName)
		second := signed(header[:max(len(header)-signatureDigits, 0)]+end, date2)
		if Unsigned(second) {
			return
		}
		want, wantErr := read(second, SigningName)
		got, err := Authenticate(second, SigningName)
		require.Equal(t, wantErr, err)
		require.Equal(t, want, got)
	})
}

// TestRecent pins what is remembered, and for whom.
func TestRecent(t *testing.T) {
	header := "AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=" +
		strings.Repeat("0a", signatureDigits/2)
	r := signed(header, "20260102T030405Z")
	_, err := Authenticate(r, SigningName)
	require.NoError(t, err)
	assert.NotNil(t, asRecent(r, SigningName))
	assert.Nil(t, asRecent(r, ""), "for another service")
	r.Header.Set("X-Amz-Date", "20260103T030405Z")
	assert.Nil(t, asRecent(r, SigningName), "of another day")
	r = signed(strings.Replace(header, "host", strings.Repeat("h", longestRecent), 1),
		"20260102T030405Z")
	_, err = Authenticate(r, SigningName)
	require.NoError(t, err)
	assert.Nil(t, asRecent(r, SigningName), "too long")
}

func FuzzAuthenticate(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=AKID/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=abc", "20260102T030405Z", "")
	f.Add("AWS4-HMAC-SHA256", "", "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a")
	f.Add("AWS4-HMAC-SHA256 Credential", "x", "X-Amz-%")
	f.Fuzz(func(t *testing.T, authorization, date, query string) {
		r := signed("", "")
		r.Header["Authorization"] = []string{authorization}
		r.Header["X-Amz-Date"] = []string{date}
		r.URL.RawQuery = query
		c, err := Authenticate(r, SigningName)
		if err != nil {
			var answer *apierr.Error
			require.True(t, errors.As(err, &answer))
			return
		}
		require.True(t,
			strings.HasPrefix(c.Scope, c.AccessKey+"/") && strings.HasSuffix(c.Scope, "/"+c.Region))
		require.NotContains(t, c.AccessKey, "/")
		require.NotContains(t, c.Region, "/")
	})
}
