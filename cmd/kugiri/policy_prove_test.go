package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyhttp "github.com/aws/smithy-go/transport/http"
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

// A policy whose callers are known by a header only starts, proven or not. Its privileged tenant is
// one where signatures are verified, and where they are not a header makes nobody privileged.
func TestServePolicyOfAHeader(t *testing.T) {
	const byHeader = `tenants: {header: x-tenant, privileged: [ops], known: [tenant001, tenant002]}
tables:
  - {name: data, role: data, entities: [{name: order, prefix: ORDER, sort: "ORDER#{id}"}]}
`
	const definition = `{"TableName":"data","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`
	policy, seed := writePolicy(t, byHeader), writeNamed(t, "data.json", definition)
	verified := []string{"--verify-signatures", "--credentials", written(t, "c", "AKID right")}
	for name, c := range map[string]struct {
		flags      []string
		privileged string // what the header ops gets
	}{
		"proven":                {nil, "tenant-caller"},
		"unproven":              {[]string{"--unproven"}, "tenant-caller"},
		"proven and verified":   {verified, ""},
		"unproven and verified": {append([]string{"--unproven"}, verified...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serving(t, append([]string{"--shared", "--policy", policy, "--seed", seed},
				c.flags...)...)
			client, table := sdkClient(url, "right"), "data"
			for tenant, want := range map[string]string{"ops": c.privileged,
				"tenant001": "tenant-scan", "tenant003": "tenant-caller"} {
				_, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table},
					dynamodb.WithAPIOptions(smithyhttp.AddHeaderValue("X-Tenant", tenant)))
				said, err := verdictOf(t, err)
				assert.Equal(t, want, said, "%s: %v", tenant, err)
			}
		})
	}
}
