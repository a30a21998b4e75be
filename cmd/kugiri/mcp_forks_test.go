package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// agentPolicy has the agent as a tenant, beside another one and an administrator.
const agentPolicy = `tenants:
  callers: {agent: tenant001, AKIDB: tenant002, AKIDADM: ops}
  privileged: [ops]
tables:
  - {name: data, role: plain, key: {partition: pk}, tenant: required}
`

// A fork's name is no credential: an agent works in forks of what its own access key sees, and
// under no other access key.
func TestAgentHasNoOtherCallers(t *testing.T) {
	const table = `{"TableName":"data","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	url, _ := serving(t, "--shared", "--admin", "--policy", writePolicy(t, agentPolicy), "--seed",
		writeNamed(t, "data.json", table+`{"pk":{"S":"NOTE#tenant002"},"of":{"S":"B"}}`))
	operator := agentOf(t, "--endpoint", url, "--write", "all")
	text, failed := use(t, operator, "make_fork", `{"name":"ofB","from":"AKIDB"}`)
	require.True(t, failed, "the access key was never used: %s", text)
	text, failed = use(t, operator, "make_fork", `{"name":"asB","tenant":"tenant002"}`)
	require.False(t, failed, text)

	const key = `"table":"data","key":{"pk":{"S":"NOTE#tenant002"}}`
	for _, write := range []string{"none", "forks"} {
		s := agentOf(t, "--endpoint", url, "--write", write)
		for _, c := range []struct{ name, tool, in, fails string }{
			{"get as another tenant", "get_item", `{` + key + `,"fork":"AKIDB"}`,
				`there is no fork "AKIDB"`},
			{"scan as an operator", "scan", `{"table":"data","fork":"AKIDADM"}`,
				`there is no fork "AKIDADM"`},
			{"query as another tenant", "query",
				`{"table":"data","keyCondition":"pk = :p","values":{":p":{"S":"NOTE#tenant002"}},"fork":"AKIDB"}`,
				`there is no fork`},
			{"select as another tenant", "select",
				`{"statement":"SELECT * FROM data","fork":"AKIDADM"}`, `there is no fork`},
			{"tables of an operator", "list_tables", `{"fork":"AKIDADM"}`, `there is no fork`},
			{"explain as an operator", "explain",
				`{"operation":"Scan","request":{"TableName":"data"},"fork":"AKIDADM"}`, `there is no fork`},
			{"another's fork", "get_item", `{` + key + `,"fork":"asB"}`,
				`the fork "asB" is not of the access key agent`},
			{"a look into another's fork", "look", `{"what":"findings","fork":"asB"}`,
				`the fork "asB" is not of the access key agent`},
			{"without a fork", "get_item", `{` + key + `}`, "tenant-crossing"},
		} {
			t.Run(write+" "+c.name, func(t *testing.T) {
				text, failed := use(t, s, c.tool, c.in)
				assert.True(t, failed, text)
				assert.Contains(t, text, c.fails)
			})
		}
		if write == "none" {
			continue
		}
		for _, c := range []struct{ name, tool, in, fails string }{
			{"a fork of another tenant", "make_fork", `{"name":"x","tenant":"tenant002"}`,
				"want --write all"},
			{"a fork of another access key", "make_fork", `{"name":"x","from":"AKIDB"}`,
				"there is no fork"},
			{"a fork of another's fork", "make_fork", `{"name":"x","from":"asB"}`,
				"is not of the access key"},
			{"the end of another's fork", "remove_fork", `{"name":"asB"}`,
				"is not of the access key"},
		} {
			t.Run(c.name, func(t *testing.T) {
				text, failed := use(t, s, c.tool, c.in)
				assert.True(t, failed, text)
				assert.Contains(t, text, c.fails)
			})
		}
		text, failed := use(t, s, "make_fork", `{"name":"AKIDB"}`)
		assert.True(t, failed, text)
		assert.Contains(t, text, "an access key that the policy lists")
		text, failed = use(t, s, "make_fork", `{"name":"try"}`)
		require.False(t, failed, text)
		text, failed = use(t, s, "get_item", `{`+key+`,"fork":"try"}`)
		assert.True(t, failed, text)
		assert.Contains(t, text, "tenant-crossing", "the fork is of the agent's own access key")
	}
}
