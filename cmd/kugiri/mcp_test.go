package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// agentOf starts "kugiri mcp" in another process, and returns the session of a client.
func agentOf(t *testing.T, args ...string) *mcp.ClientSession {
	program, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(program, append([]string{"mcp"}, args...)...)
	c.Env = append(os.Environ(), asKugiri+"=1", "AWS_ACCESS_KEY_ID=agent",
		"AWS_SECRET_ACCESS_KEY=x", "AWS_REGION=us-east-1")
	return sessionOver(t, &mcp.CommandTransport{Command: c})
}

func sessionOver(t *testing.T, over mcp.Transport) *mcp.ClientSession {
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), over, nil)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// toolNames returns the names of the tools, sorted.
func toolNames(t *testing.T, s *mcp.ClientSession) (names []string) {
	list, err := s.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// use calls a tool, and returns the text of its answer. failed says that it is an error.
func use(t *testing.T, s *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	result, err := s.CallTool(t.Context(),
		&mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err.Error(), true
	}
	require.Len(t, result.Content, 1)
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

const agentTable = `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`

// TestAgent lets an agent look, try changes in a fork, look again, and throw them away.
func TestAgent(t *testing.T) {
	url, _ := serving(t, "--admin", "--seed",
		writeNamed(t, "orders.json",
			agentTable+`{"id":{"S":"1"},"n":{"N":"12345678901234567890.5"}}`))
	s := agentOf(t, "--endpoint", url, "--write", "forks")
	for _, c := range []struct{ name, tool, in, out, fails string }{
		{"tables", "list_tables", `{}`,
			`{"tables":[{"name":"orders","status":"ACTIVE","key":["id"],"items":1,"bytes":16}]}`,
			""},
		{"an item with an exact number", "get_item", `{"table":"orders","key":{"id":{"S":"1"}}}`,
			`{"item":{"id":{"S":"1"},"n":{"N":"12345678901234567890.5"}},"units":0.5}`, ""},
		{"a plan", "explain", `{"operation":"Scan","request":{"TableName":"orders"}}`,
			`no partition key is given: all items are read`, ""},
		{"a write outside a fork", "put_item", `{"table":"orders","item":{"id":{"S":"2"}}}`, "",
			"writes are allowed in forks only"},
		{"a write in what is no fork", "put_item",
			`{"table":"orders","item":{"id":{"S":"2"}},"fork":"agent"}`, "",
			`there is no fork "agent"`},
		{"the clock of the server", "advance_clock", `{"by":"1h"}`, "",
			"writes are allowed in forks only"},
		{"a fork", "make_fork", `{"name":"try","clock":"held"}`, `"accessKey":"try"`, ""},
		{"a write in the fork", "put_item",
			`{"table":"orders","item":{"id":{"S":"2"}},"fork":"try"}`, `"CapacityUnits":1`, ""},
		{"an update", "update_item",
			`{"table":"orders","key":{"id":{"S":"2"}},"update":"SET n = :n","values":{":n":{"N":"7"}},"fork":"try"}`, `"n":{"N":"7"}`, ""},
		{"a condition that fails", "put_item",
			`{"table":"orders","item":{"id":{"S":"2"}},"condition":"attribute_not_exists(id)","fork":"try"}`, "",
			"ConditionalCheckFailedException: The conditional request failed"},
		{"the fork's items", "query",
			`{"table":"orders","keyCondition":"id = :id","values":{":id":{"S":"2"}},"descending":true,"fork":"try"}`,
			`{"items":[{"id":{"S":"2"},"n":{"N":"7"}}],"read":1,"units":0.5}`, ""},
		{"pages", "scan", `{"table":"orders","limit":1,"fork":"try"}`, `"next":{"id":{"S":`, ""},
		{"PartiQL", "select",
			`{"statement":"SELECT id FROM orders WHERE id = ?","parameters":[{"S":"2"}],"fork":"try"}`, `"items":[{"id":{"S":"2"}}]`, ""},
		{"PartiQL that writes", "select", `{"statement":"DELETE FROM orders WHERE id = '1'"}`, "",
			"want a SELECT"},
		{"a fault", "inject_faults",
			`{"faults":[{"when":{"operation":"GetItem"},"do":{"throttle":{}}}],"fork":"try"}`,
			`"id":"1"`, ""},
		{"its effect", "get_item", `{"table":"orders","key":{"id":{"S":"1"}},"fork":"try"}`, "",
			"ProvisionedThroughputExceededException"},
		{"the fork's clock", "advance_clock", `{"by":"25h","fork":"try"}`, `"held":true`, ""},
		{"the forks", "look", `{"what":"forks"}`, `"accessKey":"try"`, ""},
		{"the forks of a fork", "look", `{"what":"forks","fork":"try"}`, "",
			"a fork has no forks of its own: leave out \"fork\""},
		{"an end with a fork too many", "remove_fork", `{"name":"try","fork":"try"}`, "",
			`unexpected additional properties ["fork"]`},
		{"the fork's end", "remove_fork", `{"name":"try"}`, "{}", ""},
		{"the tables as before", "scan", `{"table":"orders"}`, `"read":1`, ""},
		{"no table", "describe_table", `{"table":"none"}`, "", "ResourceNotFoundException: "},
		{"an argument too many", "scan", `{"table":"orders","tabel":"x"}`, "", "tabel"},
	} {
		require.True(t, t.Run(c.name, func(t *testing.T) {
			text, failed := use(t, s, c.tool, c.in)
			if c.fails != "" {
				assert.True(t, failed)
				assert.Contains(t, text, c.fails)
				return
			}
			require.False(t, failed, text)
			assert.Contains(t, text, c.out)
		}))
	}
}

// TestAgentTools shows which tools there are.
func TestAgentTools(t *testing.T) {
	plain, _ := serving(t)
	withAdmin, _ := serving(t, "--admin")
	reads := []string{"describe_table", "design_schema", "get_item", "lint", "list_tables",
		"plan_design", "query", "scan", "select", "verify_design"}
	write := []string{"create_table", "delete_item", "delete_table", "execute_statement",
		"put_item", "update_item"}
	look := []string{"explain", "look"}
	control := []string{"advance_clock", "end_faults", "inject_faults", "make_fork", "remove_fork",
		"restore_snapshot", "take_snapshot"}
	for _, c := range []struct {
		name  string
		args  []string
		tools []string
	}{
		{"by default", []string{"--endpoint", withAdmin}, slices.Concat(reads, look)},
		{"with writes", []string{"--endpoint", withAdmin, "--write", "all"},
			slices.Concat(reads, look, write, control)},
		{"without the admin API", []string{"--endpoint", plain, "--write", "all"},
			slices.Concat(reads, write)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.ElementsMatch(t, c.tools, toolNames(t, agentOf(t, c.args...)))
		})
	}
}

func TestAgentDesigns(t *testing.T) {
	url, _ := serving(t, "--seed",
		writeNamed(t, "orders.json", agentTable+`{"id":{"S":"ORDER@3"}}`))
	s := agentOf(t, "--endpoint", url, "--write", "all")
	example, err := json.Marshal(map[string]string{"design": string(designfile.Example())})
	require.NoError(t, err)
	several, err := json.Marshal(map[string]string{"design": withTables})
	require.NoError(t, err)
	for _, c := range []struct{ name, tool, in, out string }{
		{"a plan", "plan_design", string(example), "| Comment | `{id}` |"},
		{"a proof", "verify_design", string(example), `"Failures":null`},
		{"a plan of two tables", "plan_design", string(several), "# Table sessions"},
		{"a proof of two tables", "verify_design", string(several), `{"tables":{"sessions":{`},
		{"the schema", "design_schema", "{}", `"$schema"`},
		{"lint", "lint",
			`{"policy":"tables: [{name: orders, role: plain, key: {partition: id}}]","tables":["orders"]}`, `"orders": 1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, failed := use(t, s, c.tool, c.in)
			require.False(t, failed, text)
			assert.Contains(t, text, c.out)
		})
	}
	text, failed := use(t, s, "plan_design", `{"design":"tabel: x"}`)
	assert.True(t, failed)
	assert.Contains(t, text, "tabel: there is no such field")
}

// TestAgentVerifiesOnForks verifies a design on forks of the endpoint, and removes them.
func TestAgentVerifiesOnForks(t *testing.T) {
	file, dir := writtenDesign(t)
	plain, _ := serving(t)
	withPolicy, _ := serving(t, "--admin", "--policy", filepath.Join(dir, "policy.yaml"))
	other, _ := serving(t, "--admin", "--policy",
		writeNamed(t, "other.yaml", "tables:\n  - {name: posts, entities: []}\n"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	in, err := json.Marshal(map[string]any{"design": string(text), "endpoint": true})
	require.NoError(t, err)
	for _, c := range []struct {
		name, url, write string
		fails            bool
		want             string
	}{
		{"the design's policy", withPolicy, "forks", false, `"Failures":null`},
		{"a policy that refuses the items", other, "forks", true, "(table posts)"},
		{"without forks", withPolicy, "none", true, "want --write forks"},
		{"without the admin API", plain, "forks", true,
			"want the endpoint of a Kugiri with --admin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, failed := use(t, agentOf(t, "--endpoint", c.url, "--write", c.write),
				"verify_design", string(in))
			assert.Equal(t, c.fails, failed, answer)
			assert.Contains(t, answer, c.want)
		})
	}
	assert.Zero(t, forkCount(t, withPolicy))
	assert.Zero(t, forkCount(t, other))
}

// TestAgentOverHTTP needs the token.
func TestAgentOverHTTP(t *testing.T) {
	url, _ := serving(t)
	address, _ := running(t, io.Discard, "mcp", "--http", "--port", "0", "--endpoint", url,
		"--token", "secret")
	answer, err := http.Post(address, "application/json", http.NoBody)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusUnauthorized, answer.StatusCode)

	s := sessionOver(t,
		&mcp.StreamableClientTransport{
			Endpoint: address, HTTPClient: &http.Client{Transport: bearer("secret")},
		})
	text, failed := use(t, s, "list_tables", "{}")
	require.False(t, failed, text)
	assert.Equal(t, `{"tables":[]}`, text)
}

// bearer is a token that it adds to requests.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(context.WithoutCancel(r.Context()))
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}
