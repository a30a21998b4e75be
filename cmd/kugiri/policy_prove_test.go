package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaky is a policy that claims isolation and enforces no rule against crossing.
const leaky = `severities: {tenant-crossing: warn}
tenants:
  callers: {AK1: tenant001, AK2: tenant002, ADMIN: admin}
  privileged: [admin]
tables:
  - name: data
    role: data
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{id}"}]
`

func writePolicy(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestPolicyProve(t *testing.T) {
	file := policyFile(t)
	out, _, err := runs(t, "policy", "prove", file)
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^GetItem +0 of \d+ +0 of \d+ +0 of \d+ +\d+ of \d+$`, out)
	assert.Regexp(t, `(?m)^.*: 0 of \d+ requests got through, for \d+ items of 2 tables$`, out)

	out, _, err = runs(t, "policy", "prove", file, "--format", "json")
	require.NoError(t, err)
	var proof struct{ Leaks []any }
	require.NoError(t, json.Unmarshal([]byte(out), &proof))
	assert.NotNil(t, proof.Leaks)

	file = writePolicy(t, leaky)
	out, _, err = runs(t, "policy", "prove", file)
	require.ErrorContains(t, err, "requests got through")
	assert.Contains(t, out, `as a tenant, GetItem {"Key":{"pk":{"S":"ORDER#tenant002"}`)

	_, _, err = runs(t, "policy", "prove",
		writePolicy(t, "tables: [{name: data, role: data}]"))
	require.ErrorContains(t, err, "nothing to prove")
	_, _, err = runs(t, "policy", "prove")
	require.ErrorContains(t, err, "want one policy file")
}

// A server does not start with a policy that claims isolation and lets requests through.
func TestServeNeedsAProof(t *testing.T) {
	file := writePolicy(t, leaky)
	_, _, err := runs(t, "serve", "--shared", "--port", "0", "--policy", file)
	require.ErrorContains(t, err, "policy: it does not keep tenants apart: as a tenant, ")
	require.ErrorContains(t, err, "start with --unproven")
}
