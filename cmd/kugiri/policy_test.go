package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// policyFile writes a policy of one table, "data", with orders. The commands read a file, so it is
// no policy of package policytest.
func policyFile(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`tenants:
  callers: {AK1: tenant001, ADMIN: admin}
  privileged: [admin]
tables:
  - name: data
    role: data
    entities:
      - {name: order, prefix: ORDER, sort: "ORDER#{id}", max-partitions: 2}
`), 0o600))
	return file
}

func TestPolicyCheck(t *testing.T) {
	file := policyFile(t)
	out, _, err := runs(t, "policy", "check", file)
	require.NoError(t, err)
	assert.Equal(t, file+": ok\n", out)

	require.NoError(t,
		os.WriteFile(file,
			[]byte("tables:\n  - name: data\n    entities: [{name: e, prefix: E, sort: \"{status}\"}]\n"), 0o600))
	out, _, err = runs(t, "policy", "check", file)
	require.NoError(t, err)
	assert.Equal(t,
		file+": advice: line 3: tables[0].entities[0].sort: key-mutable: the segment {status} says in what state an item is, which changes; "+
			"instead, keep it in an attribute, and in the key of an index where items are found by it\n"+file+": ok\n", out)
	_, _, err = runs(t, "policy", "check", file, "--fail-on", "advice")
	require.ErrorContains(t, err, "advise against 1 of its declarations")
	_, _, err = runs(t, "policy", "check", file, "--fail-on", "x")
	require.ErrorContains(t, err, `is "x": want error or advice`)

	require.NoError(t,
		os.WriteFile(file, []byte("tables:\n  - name: data\n    rolle: data\n"), 0o600))
	out, _, err = runs(t, "policy", "check", file)
	require.ErrorContains(t, err, file+": line 3: tables[0].rolle: ")
	assert.Empty(t, out)
	_, _, err = runs(t, "policy", "check", filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestPolicySchema(t *testing.T) {
	out, _, err := runs(t, "policy", "schema")
	require.NoError(t, err)
	var schema map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &schema))
	assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema["$schema"])
}

func TestPolicyRules(t *testing.T) {
	out, _, err := runs(t, "policy", "rules")
	require.NoError(t, err)
	for _, r := range policy.Rules() {
		assert.Contains(t, out, r.ID+" ")
		assert.Contains(t, out, r.Passage)
	}
}
