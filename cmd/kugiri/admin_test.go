package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func writeSeed(t *testing.T, text string) (file string) { return writeNamed(t, "users.json", text) }

// writeNamed writes a file with a name into a directory of its own.
func writeNamed(t *testing.T, name, text string) (file string) {
	file = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

const seededUsers = `{"TableName":"users","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}
	{"pk":{"S":"a"}}`

// usersOf counts the users that an access key sees in a region.
func usersOf(t *testing.T, url, accessKey, region string) int32 {
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: &url, Region: region,
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, "x", ""),
	})
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("users")})
	require.NoError(t, err)
	return out.Count
}

func TestSeed(t *testing.T) {
	url, _ := serving(t, "--seed", writeSeed(t, seededUsers), "--table-delay", "1h")
	for _, who := range []string{"one", "other"} {
		assert.Equal(t, int32(1), usersOf(t, url, who, "us-east-1"))
		assert.Equal(t, int32(1), usersOf(t, url, who, "eu-west-1"))
	}
	_, _, err := runs(t, "--seed", writeSeed(t, `{"pk":{"N":1}}`))
	assert.ErrorContains(t, err, "users.json:1: ")
	_, _, err = runs(t, "--seed", "nope.json")
	assert.ErrorContains(t, err, "nope.json")
}

// What a server begins with is held to its policy.
func TestSeedUnderAPolicy(t *testing.T) {
	const table = `{"TableName":"data","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}
	`
	seeded := func(items string) string {
		file := filepath.Join(t.TempDir(), "data.json")
		require.NoError(t, os.WriteFile(file, []byte(table+items), 0o600))
		return file
	}
	file := policyFile(t)
	_, _, err := runs(t, "--policy", file, "--seed",
		seeded(`{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@2"},"version":{"N":"2"}}`))
	require.ErrorContains(t, err,
		`seed: version-in-data-key: 1 in the table data, such as "ORDER#tenant001#ORDER#1@2": `)
	serving(t, "--policy", file, "--seed",
		seeded(`{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"},"version":{"N":"2"}}`))
}

func TestAdmin(t *testing.T) {
	url, _ := serving(t, "--seed", writeSeed(t, seededUsers), "--admin", "--clock",
		"2026-01-02T03:04:05Z")
	post := func(path, body string) string {
		res, err := http.Post(url+"/_kugiri/"+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return string(text)
	}
	assert.JSONEq(t, `{"accessKey":"test-42"}`, post("forks", `{"accessKey":"test-42"}`))
	assert.JSONEq(t, `{"now":"2026-01-02T04:04:05Z","held":true}`,
		post("forks/test-42/clock/advance", `{"by":"1h"}`))
	assert.JSONEq(t, `{"now":"2026-01-02T03:04:06Z","held":true}`,
		post("clock/advance", `{"by":"1s"}`))
	assert.Equal(t, int32(1), usersOf(t, url, "test-42", "us-east-1"))

	url, _ = serving(t, "--clock", "held")
	res, err := http.Get(url + "/_kugiri/clock")
	require.NoError(t, err)
	res.Body.Close()
	assert.Equal(t, http.StatusNotFound, res.StatusCode, "off by default")
}

// TestAdminToken: whoever may connect, a proxy of this machine included, needs the token.
func TestAdminToken(t *testing.T) {
	t.Setenv("KUGIRI_ADMIN_TOKEN", "secret")
	url, _ := serving(t, "--admin")
	for authorization, want := range map[string]int{
		"": 401, "Bearer other": 401, "Bearer secret": 200,
	} {
		r, err := http.NewRequest(http.MethodGet, url+"/_kugiri/clock", nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", authorization)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		res.Body.Close()
		assert.Equal(t, want, res.StatusCode, authorization)
	}
}

// TestAdminBehindProxy: a proxy on the same machine does not open the admin API to others.
func TestAdminBehindProxy(t *testing.T) {
	for arg, want := range map[string]int{
		"--admin-allow-remote=false": 403, "--admin-allow-remote": 200,
	} {
		to, _ := serving(t, "--admin", arg)
		upstream, err := url.Parse(to)
		require.NoError(t, err)
		proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(upstream))
		res, err := http.Get(proxy.URL + "/_kugiri/clock")
		require.NoError(t, err)
		res.Body.Close()
		proxy.Close()
		assert.Equal(t, want, res.StatusCode, arg)
	}
}

func TestAdminErrors(t *testing.T) {
	_, _, err := runs(t, "--admin-allow-remote")
	assert.ErrorContains(t, err, "without --admin")
	_, _, err = runs(t, "--admin-token", "secret")
	assert.ErrorContains(t, err, "without --admin")
	_, _, err = runs(t, "--clock", "noon")
	assert.ErrorContains(t, err, `clock "noon"`)
}

// TestSeedFromTemplate begins with a table of a template and with items of a seed.
func TestSeedFromTemplate(t *testing.T) {
	template := filepath.Join(t.TempDir(), "template.yaml")
	require.NoError(
		t, os.WriteFile(
			template, []byte(
				`{Parameters: {Name: {Type: String}}, Resources: {T: {Type: "AWS::Serverless::SimpleTable",
		Properties: {TableName: !Sub "${Name}s", PrimaryKey: {Name: id, Type: String}}}}}`), 0o600))
	url, _ := serving(t, "--seed", writeSeed(t, `{"id":{"S":"1"}}`)+","+template, "--parameter",
		"Name=user", "--table-delay", "1h")
	assert.Equal(t, int32(1), usersOf(t, url, "one", "eu-west-1"))
	_, _, err := runs(t, "--seed", template)
	assert.ErrorContains(t, err, "seed: ")
}
