package sigv4

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// The key in AWS's documentation.
const (
	docsKey    = "AKIDEXAMPLE"
	docsSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
)

// TestDocumentedSignatures has the examples of the AWS General Reference, "Signature Version 4 test
// suite" and "Signing AWS requests".
func TestDocumentedSignatures(t *testing.T) {
	at := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	for _, c := range []struct {
		name, url, service, want string
		header                   map[string]string
	}{
		{"get-vanilla", "https://example.amazonaws.com/", "service",
			"5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31", nil},
		{"the order of parameters", "https://example.amazonaws.com/?Param2=value2&Param1=value1",
			"service",
			"b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500", nil},
		{"IAM ListUsers", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08", "iam",
			"5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
			map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodGet, c.url, nil)
			require.NoError(t, err)
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			Sign(r, nil, Credentials{AccessKey: docsKey, Secret: docsSecret}, "us-east-1",
				c.service, at)
			_, signature, _ := strings.Cut(r.Header.Get("Authorization"), "Signature=")
			assert.Equal(t, c.want, signature)
		})
	}
}

// TestSignsAsTheSDKDoes signs requests of many forms with this package and with the SDK.
func TestSignsAsTheSDKDoes(t *testing.T) {
	text := rapid.StringMatching(`[ -~]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		body := []byte(text.Draw(t, "body"))
		query := rapid.StringMatching(
			`([a-zA-Z0-9~_.-]{1,5}=[a-zA-Z0-9~_.-]{0,5}(%[2-7][0-9A-F])?(&|$)){0,4}`).Draw(t,
			"query")
		key := Credentials{
			AccessKey: "AKID", Secret: text.Draw(t, "secret"),
			SessionToken: rapid.StringMatching(`[a-z/+=]{0,9}`).Draw(t, "token"),
		}
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0)
		path := rapid.StringMatching(`/([a-z ~]{0,4}(%20)?)`).Draw(t, "path")
		r, err := http.NewRequest(http.MethodPost,
			"https://dynamodb.us-east-1.amazonaws.com/?"+strings.TrimSuffix(query, "&"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, values := range r.URL.Query() {
			if len(values) > 1 {
				t.Skip("the SDK sorts the values of a name before it encodes them, AWS's documents after that")
			}
		}
		r.URL.Path = path
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", text.Draw(t, "target"))
		theirs := r.Clone(context.Background())
		Sign(r, body, key, "eu-west-1", "dynamodb", at)
		hash := sha256.Sum256(body)
		err = v4.NewSigner().SignHTTP(context.Background(),
			aws.Credentials{
				AccessKeyID: key.AccessKey, SecretAccessKey: key.Secret,
				SessionToken: key.SessionToken,
			},
			theirs, hex.EncodeToString(hash[:]), "dynamodb", "eu-west-1", at)
		if err != nil {
			t.Fatal(err)
		}
		if ours, want := r.Header.Get("Authorization"), theirs.Header.Get(
			"Authorization"); ours != want {
			t.Fatalf("signed\n%s\nwant\n%s", ours, want)
		}
	})
}

func FuzzSignature(f *testing.F) {
	f.Add("a=b&c", "host;x-amz-date", "/a%20b")
	f.Add("X-Amz-Signature=1&%zz", ";;", "")
	f.Fuzz(func(t *testing.T, query, headers, path string) {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.URL.RawQuery, r.URL.Path = query, path
		c := Claim{SignedHeaders: headers}
		require.Len(t, c.Signature(r, nil, "secret"), 64)
		require.Equal(t, c.Signature(r, nil, "secret"), c.Signature(r, nil, "secret"))
		require.NotEqual(t, c.Signature(r, nil, "secret"), c.Signature(r, nil, "secrets"))
	})
}

// TestCutParameter covers service facts 9.6.
func TestCutParameter(t *testing.T) {
	for _, c := range []struct {
		name, header string
		want         []string
	}{
		{"commas and blanks", "Credential=a/b, SignedHeaders=host;date, Signature=1",
			[]string{"Credential=a/b", "SignedHeaders=host;date", "Signature=1"}},
		{"commas alone", "Credential=a,SignedHeaders=host,Signature=1",
			[]string{"Credential=a", "SignedHeaders=host", "Signature=1"}},
		{"blanks alone", " Credential=a SignedHeaders=host   Signature=1 ",
			[]string{"Credential=a", "SignedHeaders=host", "Signature=1"}},
		{"both at once", "Credential=a , SignedHeaders=host Signature=1,",
			[]string{"Credential=a", "SignedHeaders=host", "Signature=1"}},
		{"a blank in a value", "Credential=my key/1, Signature=1",
			[]string{"Credential=my key/1", "Signature=1"}},
		{"nothing between commas", ",, Signature=1", []string{"", "", "Signature=1"}},
		{"no parameter", "foo", []string{"foo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for rest := c.header; rest != ""; {
				var parameter string
				parameter, rest = CutParameter(rest)
				got = append(got, parameter)
			}
			assert.Equal(t, c.want, got)
		})
	}
}
