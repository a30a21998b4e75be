package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/forks"
)

// exampleDesign writes the example of a design file.
func exampleDesign(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "design.yaml")
	_, _, err := runs(t, "design", "init", file)
	require.NoError(t, err)
	return file
}

// forkCount returns how many forks a server has.
func forkCount(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/_kugiri/forks", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var list struct{ Forks []any }
	require.NoError(t, json.Unmarshal(text, &list))
	return len(list.Forks)
}

// protectedPosts is a table with the name of the example's, which is protected against deletion.
const protectedPosts = `{"TableName":"posts","BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":true,
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}
	{"pk":{"S":"a"}}`

// TestDesignVerifyEndpoint verifies the example on forks of a server.
func TestDesignVerifyEndpoint(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	file, dir := writtenDesign(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"a server with the design's policy",
			[]string{"--admin", "--policy", filepath.Join(dir, "policy.yaml")}},
		{"a server without tables", []string{"--admin"}},
		{"a server with a token", []string{"--admin", "--admin-token", "secret"}},
		{"a server whose tables take an hour", []string{"--admin", "--table-delay", "1h"}},
		{"a server with accounts",
			[]string{"--admin", "--iam",
				writeNamed(t, "iam.json",
					`{"accessKeys": {"test": {"account": "111122223333"}}}`)}},
		{"a server with a table of the same name",
			[]string{"--admin", "--seed", writeNamed(t, "posts.json", protectedPosts),
				"--table-delay", "1h"}},
		{"a server with one set of tables",
			[]string{"--admin", "--shared", "--clock", "held", "--seed",
				writeNamed(t, "posts.json", protectedPosts)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, _ := serving(t, c.args...)
			args := []string{"design", "verify", file, "--endpoint", url, "--items", "200"}
			withToken := strings.Contains(c.name, "token")
			if withToken {
				args = append(args, "--admin-token", "secret")
			}
			out, _, err := runs(t, args...)
			require.NoError(t, err)
			assert.Contains(t, out, "on a fork of "+url+", with ")
			assert.Equal(t, 6, strings.Count(out, "holds: "))
			assert.Contains(t, out, "noticed: GSI1 has no sort key")
			assert.NotContains(t, out, "not noticed")
			if withToken {
				return
			}
			assert.Zero(t, forkCount(t, url))
		})
	}
}

// TestDesignVerifyKeepsTables checks that the server's own table with the name of the plan's stays.
func TestDesignVerifyKeepsTables(t *testing.T) {
	seed := strings.Replace(protectedPosts, `"posts"`, `"users"`, 1)
	url, _ := serving(t, "--admin", "--seed", writeNamed(t, "users.json", seed))
	require.Equal(t, int32(1), usersOf(t, url, "test", "us-east-1"))
	file := exampleDesign(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	renamed := strings.Replace(string(text), "table: posts", "table: users", 1)
	_, _, err = runs(t, "design", "verify", writeNamed(t, "design.yaml", renamed), "--endpoint",
		url, "--items", "200")
	require.NoError(t, err)
	assert.Equal(t, int32(1), usersOf(t, url, "test", "us-east-1"))
}

// TestDesignVerifyPermissions verifies the example with an access key that may read no index.
func TestDesignVerifyPermissions(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	url, _ := serving(t, "--admin",
		"--iam", writeNamed(t,
			"iam.json",
			`{"accessKeys": {"test": {"account": "111122223333", "user": "u", "policies": ["p"]}},
		"policies": {"p": {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:*:*:table/posts"}}}}`))
	out, _, err := runs(t, "design", "verify", exampleDesign(t), "--endpoint", url, "--items",
		"200")
	require.ErrorContains(t, err, "the table does not serve all patterns")
	assert.Equal(t, 1, strings.Count(out, "holds: "), "%s", out)
	assert.Contains(t, out,
		"table/posts/index/GSI3 because no identity-based policy allows the dynamodb:Query action")
}

func TestDesignVerifyEndpointErrors(t *testing.T) {
	file := exampleDesign(t)
	plain, _ := serving(t)
	guarded, _ := serving(t, "--admin", "--admin-token", "secret")
	strict, _ := serving(t, "--admin", "--policy",
		writeNamed(t, "policy.yaml", "tables:\n  - {name: posts, entities: []}\n"))
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no admin API", []string{"--endpoint", plain},
			plain + ": want the endpoint of a Kugiri with --admin"},
		{"no token", []string{"--endpoint", guarded},
			guarded + ": want the endpoint of a Kugiri with --admin"},
		{"DynamoDB", []string{"--endpoint", "aws"}, "DynamoDB has no forks"},
		{"no server", []string{"--endpoint", "http://127.0.0.1:1"}, "connection refused"},
		{"no URL", []string{"--endpoint", "somewhere"}, "is not a URL"},
		{"a region alone", []string{"--region", "eu-west-1"}, "belong to --endpoint"},
		{"a policy that refuses the items", []string{"--endpoint", strict}, "posts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"design", "verify", file}, c.args...)...)
			require.ErrorContains(t, err, c.says)
			assert.NotContains(t, out, "holds")
		})
	}
	assert.Zero(t, forkCount(t, strict))
}

// TestDesignVerifyInterrupted checks that an interrupt removes the fork, and is no proof of
// anything.
func TestDesignVerifyInterrupted(t *testing.T) {
	url, _ := serving(t, "--admin")
	ctx, cancel := context.WithCancel(t.Context())
	f := forks.Source{Endpoint: endpoint.Endpoint{URL: url}}
	require.NoError(t, f.Connect(ctx, "posts"))
	service, err := f.Open()
	require.NoError(t, err)
	assert.Equal(t, 1, forkCount(t, url))
	cancel()
	require.ErrorIs(t, service.Settle(), context.Canceled)
	require.ErrorIs(t, service.Close(), context.Canceled)
	assert.Zero(t, forkCount(t, url))
}
