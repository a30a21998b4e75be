// Package mbccqrs runs the services of @mbc-cqrs-serverless/core against Kugiri under a policy. It
// is the framework of the guide "Key design patterns". The policy allows all its writes, except
// those that services.js expects it to reject.
package mbccqrs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// expected holds the findings that services.js provokes.
const expected = 3

func TestServices(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the framework with")
	}
	e := start(t)
	server, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })

	script, err := os.ReadFile("services.js")
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), node, "-")
	c.Stdin = bytes.NewReader(script)
	c.Env = append(os.Environ(), "MODULES="+modules(t), "DYNAMODB_ENDPOINT="+server.URL,
		"AWS_ACCESS_KEY_ID=AKIDTENANT001", "AWS_SECRET_ACCESS_KEY=x")
	out, err := c.CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err)
	assert.NotContains(t, string(out), "failed: ")
	assert.Greater(t, strings.Count(string(out), "ok: "), 30)
	var found int64
	for _, f := range e.Findings() {
		assert.Equal(t, "history-immutable", f.Rule, f.Example)
		found += f.Count
	}
	assert.EqualValues(t, expected, found)
}

// start returns an emulator with the policy and its tables.
func start(t *testing.T) *emulator.Emulator {
	engine, err := policyfile.CompileFile("policy.yaml")
	require.NoError(t, err)
	e := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData())
	t.Cleanup(func() { assert.NoError(t, e.Close()) })
	client := emulatortest.NewClient(e, emulatortest.WithAccessKey("AKIDOPERATIONS"))
	for _, name := range []string{"order-command", "order-data", "order-history", "master-data"} {
		_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: aws.String("test-shop-" + name), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}, {AttributeName: aws.String("sk"), AttributeType: "S"}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"}},
		})
		require.NoError(t, err)
	}
	return e
}

// modules returns a directory with the packages of package-lock.json. npm installs them once.
func modules(t *testing.T) string {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("there is no npm to fetch the framework with")
	}
	lock, err := os.ReadFile("package-lock.json")
	require.NoError(t, err)
	sum := sha256.Sum256(lock)
	dir := filepath.Join(os.TempDir(), "kugiri-mbc-cqrs-"+hex.EncodeToString(sum[:8]))
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		return filepath.Join(dir, "node_modules")
	}
	if !reachable() {
		t.Skip("npm's registry, which has the framework, is not reachable")
	}
	require.NoError(t, os.MkdirAll(dir, 0o700))
	manifest, err := os.ReadFile("package.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), manifest, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package-lock.json"), lock, 0o600))
	c := exec.CommandContext(t.Context(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.WriteFile(done, nil, 0o600))
	return filepath.Join(dir, "node_modules")
}

// reachable reports whether npm's registry answers.
func reachable() bool {
	r, err := http.Head("https://registry.npmjs.org/")
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return true
}
