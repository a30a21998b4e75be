package console

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInForce: every page says which faults, which fork and which held clock are in force, and ends
// each with a click.
func TestInForce(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held")
	s.createTable(t, "orders")
	s.admin(t, "POST", "faults", `{"do": "throttle", "when": {"operation": "DeleteItem"}}`)
	s.admin(t, "POST", "forks", `{"accessKey": "try", "from": "test"}`)
	p := open(t, s, "#/tables/orders/items?as=try@us-east-1")
	p.see("1 fault is injected") // a fork begins with those of its origin
	p.see("A fork is shown")
	p.see("The clock is held")
	p.accessible()
	p.picture("in-force")
	p.prefers("dark")
	p.accessible()
	p.picture("in-force-dark")
	p.prefers("light")
	p.click("button", "Leave the fork")
	p.miss("A fork is shown")
	p.click("link", "PartiQL")
	p.see("1 fault is injected")
	p.click("button", "End faults")
	p.miss("1 fault is injected")
	assert.Empty(t, s.admin(t, "GET", "faults", "")["faults"])
	before := s.admin(t, "GET", "clock", "")["now"]
	p.click("button", "Let it run")
	p.see("This page moves the clock")
	p.click("link", "Traffic")
	p.eventually(func() bool { return s.admin(t, "GET", "clock", "")["now"] != before },
		"the clock goes on")
	p.click("button", "Hold it")
	p.see("The clock is held")
	p.click("link", "Faults")
	p.see("Throttle")
	p.click("switch", "Switch: Throttle")
	p.see("1 fault is injected")
}

// TestPolicyInForce: every page says that a policy is in force, and shows the tables without it.
func TestPolicyInForce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`tables:
  - name: orders
    role: data
    entities: [{name: order, prefix: ORDER, sort: "{order:ulid}"}]
`), 0o600))
	s := serve(t, "--shared", "--policy", file)
	s.createTable(t, "orders")
	put := func(key string) error {
		_, err := s.of(key).db.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("orders"), Item: order("ORDER#1", nil)})
		return err
	}
	require.Error(t, put("test"))
	p := open(t, s, "#/tables/orders/items")
	p.see("A policy is in force")
	p.accessible()
	p.picture("policy-in-force")
	p.click("button", "Without it")
	p.see("A fork is shown")
	p.miss("A policy is in force")
	require.NoError(t, put("no-policy"))
	require.Error(t, put("test"), "the server keeps its policy")
	p.click("button", "Leave the fork")
	p.see("A policy is in force")
}
