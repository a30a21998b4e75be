package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startConsole runs "kugiri console" until the test ends. It returns the URL of the page, and the
// header with the token.
func startConsole(t *testing.T, args ...string) (url, token string) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"console", "--port", "0"}, args...), in, io.Discard)
		in.CloseWithError(io.EOF)
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url, token, ok := strings.Cut(
		strings.TrimSpace(strings.TrimPrefix(line, "kugiri: console at ")), "#token=")
	require.True(t, ok, line)
	return url, "Authorization: Bearer " + token
}

// asked sends a request of a page, and returns the answer.
func asked(t *testing.T, method, url, body string, headers ...string) (int, string) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

const (
	listTarget   = "X-Amz-Target: DynamoDB_20120810.ListTables"
	createTarget = "X-Amz-Target: DynamoDB_20120810.CreateTable"
	usersTable   = `{"TableName": "users", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}`
)

// TestConsoleOfEndpoint: the console of another server signs, reads only unless it is told to
// write, and has the admin API of that server.
func TestConsoleOfEndpoint(t *testing.T) {
	server, _ := serving(t, "--admin", "--admin-token", "secret")
	page, token := startConsole(t, "--endpoint", server, "--admin-token", "secret")

	status, _ := asked(t, "GET", page+"session", "")
	assert.Equal(t, 401, status, "the page needs its token")
	status, text := asked(t, "GET", page+"session", "", token)
	require.Equal(t, 200, status, text)
	var session map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &session))
	assert.Equal(t, server, session["endpoint"])
	assert.Equal(t, true, session["readOnly"])

	status, text = asked(t, "POST", page+"dynamodb", usersTable, token, createTarget)
	assert.Equal(t, 403, status)
	assert.Contains(t, text, "ReadOnlyException")
	status, text = asked(t, "POST", page+"dynamodb", usersTable, token, createTarget,
		"X-Kugiri-Writes: allowed", "X-Kugiri-Access-Key: me")
	require.Equal(t, 200, status, text)
	_, text = asked(t, "POST", page+"dynamodb", `{}`, token, listTarget, "X-Kugiri-Access-Key: me")
	assert.JSONEq(t, `{"TableNames":["users"]}`, text)

	origin := strings.TrimSuffix(page, "/_kugiri/console/")
	status, text = asked(t, "GET", origin+"/_kugiri/", "", token, "Origin: "+origin,
		"Sec-Fetch-Site: same-origin")
	assert.Equal(t, 200, status, text)
	assert.Contains(t, text, `"tables":1`)
}

// TestConsoleRefuses: no other page, and no name that leads here, reaches a console.
func TestConsoleRefuses(t *testing.T) {
	server, _ := serving(t, "--console")
	other, token := startConsole(t, "--endpoint", server)
	for name, page := range map[string]string{
		"of a server": server + "/_kugiri/console/", "of an endpoint": other,
	} {
		for _, header := range []string{"Origin: http://evil.example", "Sec-Fetch-Site: cross-site",
			"Host: evil.example"} {
			t.Run(name+", "+header, func(t *testing.T) {
				status, text := asked(t, "POST", page+"dynamodb", "{}", token, listTarget, header)
				assert.Equal(t, 403, status, text)
			})
		}
	}
}

// TestServerIsClosedToOtherPages: no page but the console reaches the data, unless somebody asks
// for it.
func TestServerIsClosedToOtherPages(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want int // the answer to a page of another origin
	}{
		{"without a console", nil, 403},
		{"without a console, for all pages", []string{"--cors", "*"}, 200},
		{"in place of DynamoDB Local", []string{"--dynamodb-local"}, 200},
		{"with a console", []string{"--console"}, 403},
		{"with a console, for all pages", []string{"--console", "--cors", "*"}, 200},
		{"with a console, for the page", []string{"--console", "--cors", "http://localhost:3000"},
			200},
		{"with a console, in place of DynamoDB Local", []string{"--console", "--dynamodb-local"},
			200},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, _ := serving(t, c.args...)
			status, text := asked(t, "POST", server+"/", "{}", listTarget,
				"Origin: http://localhost:3000",
				"Content-Type: application/x-amz-json-1.0", "X-Amz-Date: 20260101T000000Z",
				"Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, "+
					"SignedHeaders=host;x-amz-date, Signature=0")
			assert.Equal(t, c.want, status, text)
			if slices.Contains(c.args, "--console") {
				status, text = asked(t, "POST", server+"/_kugiri/console/dynamodb", "{}",
					listTarget,
					"Origin: "+server, "Sec-Fetch-Site: same-origin")
				assert.Equal(t, 200, status, text)
			}
		})
	}
}

// TestConsoleForOtherMachines: a server for other machines prints a token for its console.
func TestConsoleForOtherMachines(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--console", "--host", "0.0.0.0", "--port", "0"}, in,
			io.Discard)
	}()
	lines := bufio.NewReader(out)
	_, err := lines.ReadString('\n')
	require.NoError(t, err)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	url, token, ok := strings.Cut(
		strings.TrimSpace(strings.TrimPrefix(line, "kugiri: console at ")), "#token=")
	require.True(t, ok, line)
	status, _ := asked(t, "GET", url+"session", "", "X-Forwarded-For: 192.0.2.1")
	assert.Equal(t, 401, status)
	status, _ = asked(t, "GET", url+"session", "", "X-Forwarded-For: 192.0.2.1",
		"Authorization: Bearer "+token)
	assert.Equal(t, 200, status)
	cancel()
	require.NoError(t, <-done)
}

// TestNoConsole: a server that nobody starts at a terminal has no console unless it is told to.
func TestNoConsole(t *testing.T) {
	server, _ := serving(t)
	status, _ := asked(t, "GET", server+"/_kugiri/console/", "")
	assert.Equal(t, 404, status)
	_, _, err := runs(t, "console", "--host", "0.0.0.0")
	assert.ErrorContains(t, err, "answers this machine only")
}
