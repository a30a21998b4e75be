package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// planned is a server with the table of a plan.
type planned struct {
	*testing.T
	url  string
	http interface {
		Do(r *http.Request) (*http.Response, error)
	}
	plan *design.Plan
	rows map[string]int64 // rows by model
}

// servePlan starts a server with the table of a design, and about 2,000 items in it.
func servePlan(t *testing.T, file string) *planned {
	plan, err := designfile.PlanFile(file)
	require.NoError(t, err)
	e := emulator.New(admin.Enable(admin.Options{}))
	s, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	p := &planned{t, s.URL, e.HTTPClient("test", "us-east-1"), plan, map[string]int64{}}
	p.send("CreateTable", plan.CreateTable())
	sum := int64(0)
	for _, m := range plan.Design.Models {
		sum += m.Items
	}
	for _, m := range plan.Design.Models {
		p.rows[m.Name] = max(2000*m.Items/sum, 20)
	}
	samples := design.NewSamples(&plan.Design, p.rows, 1)
	for _, m := range plan.Design.Models {
		for range min(p.rows[m.Name], samples.Most(m.Name)) {
			item, err := plan.Item(m.Name, samples.Next(m.Name))
			require.NoError(t, err)
			p.send("PutItem",
				map[string]any{"TableName": plan.Design.Table, "Item": attributeValues(item)})
		}
	}
	return p
}

// send sends a request of the service.
func (p *planned) send(operation string, in any) {
	body, err := json.Marshal(in)
	require.NoError(p, err)
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.url, bytes.NewReader(body))
	require.NoError(p, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	out, err := p.http.Do(r)
	require.NoError(p, err)
	p.answered(out, http.StatusOK)
}

// answered checks the status of an answer.
func (p *planned) answered(out *http.Response, status int) {
	text, err := io.ReadAll(out.Body)
	require.NoError(p, err)
	require.NoError(p, out.Body.Close())
	require.Equal(p, status, out.StatusCode, "%s", text)
}

// record records the requests of all patterns, each with the values of some rows. They come through
// the listener, because those of the process itself are not recorded.
func (p *planned) record() {
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.url+"/_kugiri/traffic",
		nil)
	require.NoError(p, err)
	out, err := http.DefaultClient.Do(r)
	require.NoError(p, err)
	p.answered(out, http.StatusCreated)
	p.http = http.DefaultClient
	for i := range p.plan.Queries {
		samples := design.NewSamples(&p.plan.Design, p.rows, 1)
		for range 8 {
			row := samples.Next(p.plan.Queries[i].Models[0])
			if begins := p.plan.Design.Patterns[i].Begins; begins != "" {
				row[begins] = p.plan.Design.Patterns[i].Beginning(3, row, nil)
			}
			row[design.RangeFrom], row[design.RangeTo] =
				row[p.plan.Design.Patterns[i].Range], "2027-01-01T00:00:00.000Z"
			bound, err := p.plan.Queries[i].Bind(row)
			require.NoError(p, err)
			operation, in := bound.Request(p.plan.Design.Table, attributeValue)
			p.send(operation, in)
		}
	}
}

func attributeValues(item map[string]any) map[string]any {
	all := map[string]any{}
	for name, v := range item {
		all[name] = attributeValue(v)
	}
	return all
}

// attributeValue writes a value of a sample in DynamoDB's JSON.
func attributeValue(v any) any {
	switch v := v.(type) {
	case string:
		return map[string]any{"S": v}
	case int64, float64:
		return map[string]any{"N": fmt.Sprint(v)}
	case []byte:
		return map[string]any{"B": base64.StdEncoding.EncodeToString(v)}
	case bool:
		return map[string]any{"BOOL": v}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = attributeValue(v[i])
		}
		return map[string]any{"L": list}
	case map[string]any:
		return map[string]any{"M": attributeValues(v)}
	}
	panic(fmt.Sprintf("a value is a %T", v))
}

// TestDesignFromTable checks that a planned table with recorded requests comes back as its design:
// the same models with keys no larger, the same patterns, and a plan with as many indexes.
func TestDesignFromTable(t *testing.T) {
	for _, file := range []string{"conventions/design/designfile/testdata/design.yaml",
		"emulator/proof/testdata/shop.yaml", "emulator/proof/testdata/game.yaml",
		"emulator/proof/testdata/begins.yaml", "emulator/proof/testdata/lockers.yaml"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p := servePlan(t, filepath.Join("..", "..", filepath.FromSlash(file)))
			p.record()
			found := filepath.Join(t.TempDir(), "found.yaml")
			out, _, err := runs(t, "design", "from", "--from-table", p.plan.Design.Table,
				"--endpoint", p.url, "-o", found)
			require.NoError(t, err)
			assert.NotContains(t, out, "warning")
			again, err := designfile.PlanFile(found)
			require.NoError(t, err)
			assert.Len(t, again.Indexes, len(p.plan.Indexes))
			report, err := proof.Verify(again, proof.Options{})
			require.NoError(t, err)
			assert.True(t, report.OK(), "%+v", report)
			require.Len(t, again.Design.Models, len(p.plan.Design.Models))
			for _, m := range p.plan.Design.Models {
				i := slices.IndexFunc(again.Design.Models,
					func(o design.Model) bool { return o.Name == m.Name })
				require.GreaterOrEqual(t, i, 0, m.Name)
				assert.LessOrEqual(t, len(again.Design.Models[i].Key), len(m.Key), m.Name)
			}
			assert.Len(t, again.Design.Patterns, len(p.plan.Design.Patterns))
			for _, want := range p.plan.Design.Patterns {
				assert.True(
					t, slices.ContainsFunc(again.Design.Patterns, func(q design.Pattern) bool {
						return want.Model == q.Model && len(want.Equal) == len(q.Equal) &&
							want.One == q.One && (want.Range != "") == (q.Range != "") &&
							(want.Begins != "") == (q.Begins != "") &&
							(want.Order == "" || want.Descending == q.Descending)
					}), "%+v", want)
			}
		})
	}
}

// TestDesignFromUnreadRequests checks that recorded requests that become no pattern are named.
func TestDesignFromUnreadRequests(t *testing.T) {
	p := servePlan(t, filepath.Join("..", "..", "conventions", "design", "designfile", "testdata",
		"design.yaml"))
	recorded := filepath.Join(t.TempDir(), "traffic.json")
	table := p.plan.Design.Table
	require.NoError(t, os.WriteFile(recorded, []byte(`{"reads": [
		{"operation": "Scan", "table": "`+table+`", "index": "GSI1", "scan": true, "pages": 7},
		{"operation": "Query", "table": "`+table+`", "keyCondition": "PK = ?", "filter": "state"},
		{"operation": "Scan", "table": "another", "scan": true, "pages": 3}]}`), 0o600))
	out, said, err := runs(t, "design", "from", "--from-table", table, "--endpoint", p.url,
		"--traffic", recorded, "-o", filepath.Join(t.TempDir(), "found.yaml"))
	require.NoError(t, err)
	assert.Contains(t, out+said, "7 pages of a Scan of GSI1 are in no pattern: it reads all items")
	assert.Contains(t, out+said, "the filter by state of a Query of the table (PK = ?) is in no "+
		"pattern: say it in filter, or in equal")
	assert.NotContains(t, out+said, "3 pages")
}

// TestDesignFromRecordedWrites: recorded writes give models their puts, deletes, and updates with
// what these change, in keys of indexes, too.
func TestDesignFromRecordedWrites(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
table: jobs
models:
  - name: Job
    key: [id]
    items: 1000
    updates: [{of: [note, state], rate: 1}]
    attributes: [{name: id, format: ulid}, {name: state, values: 3, mutable: true}, {name: at, format: timestamp}, {name: note, mutable: true}]
patterns:
  - {name: jobs in a state, model: Job, equal: [state], order: at, rate: 1}
`), 0o644))
	p := servePlan(t, file)
	p.record()
	samples := design.NewSamples(&p.plan.Design, p.rows, 1)
	for range 4 {
		row := samples.Next("Job")
		for _, changes := range []design.Row{{"state": "gone"}, {"note": "a"}, {"other": "b"}} {
			item, err := p.plan.Item("Job", row)
			require.NoError(t, err)
			key := map[string]any{p.plan.Key.Partition: attributeValue(item[p.plan.Key.Partition])}
			if p.plan.Key.Sort != "" {
				key[p.plan.Key.Sort] = attributeValue(item[p.plan.Key.Sort])
			}
			for name, v := range changes {
				column := name
				if holding := p.plan.Entity("Job").Holding(name); len(holding) > 0 {
					column = holding[0]
				}
				p.send("UpdateItem", map[string]any{"TableName": "jobs", "Key": key,
					"UpdateExpression":          "SET #n = :v",
					"ExpressionAttributeNames":  map[string]any{"#n": column},
					"ExpressionAttributeValues": map[string]any{":v": attributeValue(v)}})
			}
		}
	}
	row := samples.Next("Job")
	item, err := p.plan.Item("Job", row)
	require.NoError(t, err)
	p.send("PutItem", map[string]any{"TableName": "jobs", "Item": attributeValues(item)})
	found := filepath.Join(t.TempDir(), "found.yaml")
	_, _, err = runs(t, "design", "from", "--from-table", "jobs", "--endpoint", p.url, "-o", found)
	require.NoError(t, err)
	again, err := designfile.ParseFile(found)
	require.NoError(t, err)
	require.Len(t, again.Models, 1)
	m := &again.Models[0]
	var changed []string
	for _, c := range m.Changes {
		assert.Positive(t, c.Rate)
		changed = append(changed, c.Of...)
	}
	assert.ElementsMatch(t, []string{"gsi1pk", "note", "other"}, changed)
	assert.Positive(t, m.Puts)
	assert.Zero(t, m.Deletes)
}

// TestDesignFromSources checks that all patterns hold in the tables that are planned for the
// published examples of sources.
func TestDesignFromSources(t *testing.T) {
	files, err := filepath.Glob(
		filepath.Join("..", "..", "conventions", "design", "source", "testdata", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range append(files,
		filepath.Join("..", "..", "conventions", "policy", "policyfile", "testdata",
			"policy.yaml")) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			made := filepath.Join(t.TempDir(), "made.yaml")
			_, _, err := runs(t, "design", "from", file, "-o", made)
			require.NoError(t, err)
			plan, err := designfile.PlanFile(made)
			require.NoError(t, err)
			report, err := proof.Verify(plan, proof.Options{})
			require.NoError(t, err)
			assert.True(t, report.OK(), "%+v", report)
		})
	}
}

// TestDesignFromTableWithoutTraffic checks that the keys of a table show its patterns.
func TestDesignFromTableWithoutTraffic(t *testing.T) {
	p := servePlan(t,
		filepath.Join("..", "..", "conventions", "design", "designfile", "testdata", "design.yaml"))
	out, said, err := runs(t, "design", "from", "--from-table", "posts", "--endpoint", p.url, "-o",
		"-", "--sample", "300")
	require.NoError(t, err)
	assert.Contains(t, said, "warning: no requests are recorded")
	assert.Contains(t, out,
		"{name: comments by postId, model: Comment, equal: [postId], order: at}")
	assert.Contains(t, out, "{name: all posts, model: Post, order: at}")
}
