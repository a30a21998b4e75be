package emulator

import (
	"bytes"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// TestAnswersPastThePolicy: an operation that forgets to ask the policy answers nothing, whatever
// it declares.
func TestAnswersPastThePolicy(t *testing.T) {
	names := func(list []string) *api.ListTablesOutput {
		out := &api.ListTablesOutput{TableNames: []api.TableName{}}
		for _, name := range list {
			out.TableNames = append(out.TableNames, api.TableName(name))
		}
		return out
	}
	list := func(shown func(*serve.Call, *storage.Tx) []string) serve.Operation {
		return serve.Owns("ListTables", serve.ShowsFiltered,
			func(c *serve.Call, _ *api.ListTablesInput) (out *api.ListTablesOutput, err error) {
				return out, c.Store.View(func(tx *storage.Tx) error {
					out = names(shown(c, tx))
					return nil
				})
			}, serve.TouchesNothing)
	}
	type asking func(*serve.Call, *storage.Table) (enforce.Reading, error)
	get := func(ask asking) serve.Operation {
		return serve.Owns("GetItem", serve.ShowsItems,
			func(c *serve.Call, in *api.GetItemInput) (out *api.GetItemOutput, err error) {
				return out, c.Store.View(func(tx *storage.Tx) error {
					table := tx.Table(string(*in.TableName))
					r, err := ask(c, table)
					if err != nil {
						return err
					}
					k, _ := table.Key.Encode(in.Key.Item)
					out = &api.GetItemOutput{Item: r.Get(tx, table, k).JSON()}
					return nil
				})
			}, func(*api.GetItemInput, *serve.Targets) {})
	}
	for _, c := range []struct {
		name, operation, body string
		served                serve.Operation
		code                  int
		says                  string
	}{
		{"a list that is filtered", "ListTables", `{}`,
			list(func(c *serve.Call, tx *storage.Tx) []string {
				return c.Policy.Shown(tx).Tables("")
			}), 200, `{"TableNames":["data"]}`},
		{"a list that is not", "ListTables", `{}`,
			list(func(_ *serve.Call, tx *storage.Tx) []string { return tx.Tables().Names() }),
			500, "ListTables shows what it has not taken from enforce.Shown"},
		{"an item that was asked for", "GetItem", `{"TableName":"data","Key":{"k":{"S":"a"}}}`,
			get(func(c *serve.Call, t *storage.Table) (enforce.Reading, error) {
				return c.Policy.Get(t, "")
			}), 400, "tenant-"},
		{"an item that was not", "GetItem", `{"TableName":"data","Key":{"k":{"S":"a"}}}`,
			get(func(*serve.Call, *storage.Table) (enforce.Reading, error) {
				return enforce.Reading{}, nil
			}), 500, "items are read about which the policy was not asked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine, err := policy.Compile(policy.Policy{
				Tenants: policy.Tenants{Privileged: []string{"ops"},
					Callers: map[string]string{"AKID": "tenant001", "OPS": "ops"}},
				Tables: []policy.Table{{Name: "data", Key: policy.KeySchema{Partition: "k"},
					Tenant: policy.TenantRequired, Role: policy.Plain}}})
			require.NoError(t, err)
			var log bytes.Buffer
			e := New(WithPolicy(engine), WithSharedData(),
				WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			created := answerOf(e, rawRequest("CreateTable", `{"TableName":"data",
				"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
				"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
				"BillingMode":"PAY_PER_REQUEST"}`, header("Authorization",
				strings.Replace(anySignature, "AKID", "OPS", 1))))
			require.Equal(t, 200, created.Code, created.Body.String())
			e.front.Operations = maps.Clone(e.front.Operations)
			e.front.Operations["DynamoDB_20120810."+c.operation] = &c.served
			w := answerOf(e, rawRequest(c.operation, c.body))
			assert.Equal(t, c.code, w.Code)
			assert.Contains(t, w.Body.String()+log.String(), c.says)
		})
	}
}
