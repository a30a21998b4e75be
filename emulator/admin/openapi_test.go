package admin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// allRoutes returns the routes of the server and of forks.
func allRoutes() []route {
	var list []route
	for _, x := range append(serverRoutes(), explorationRoutes()...) {
		list = append(list, x.route)
	}
	for _, x := range append(forkRoutes(), scopeRoutes...) {
		list = append(list, x.route)
	}
	return list
}

// routeOf returns the route of a request, or nil.
func routeOf(method, path string) *route {
	path, _, _ = strings.Cut("/"+path, "?")
	for _, r := range allRoutes() {
		form := variable().ReplaceAllString(r.path, "[^/]+")
		if r.method == method && regexp.MustCompile("^"+form+"$").MatchString(path) {
			return &r
		}
	}
	return nil
}

// compiled returns a function that returns the compiled schemas of the document, by name.
var compiled = sync.OnceValues(func() (func(name string) (*jsonschema.Schema, error), error) {
	text, err := OpenAPI()
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("openapi.json", doc); err != nil {
		return nil, err
	}
	var mu sync.Mutex // a compiler is not for several goroutines
	return func(name string) (*jsonschema.Schema, error) {
		mu.Lock()
		defer mu.Unlock()
		return c.Compile("openapi.json#/components/schemas/" + name)
	}, nil
})

// follows returns the error of a text that does not follow a schema of the document.
func follows(t testing.TB, schema, text string) error {
	schemaOf, err := compiled()
	require.NoError(t, err)
	s, err := schemaOf(schema)
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// wantDocumented compares a request and its answer with the document.
func (s *served) wantDocumented(method, path, body string, status int, answer []byte) {
	s.Helper()
	r := routeOf(method, path)
	if status >= 400 {
		assert.NoError(s, follows(s, "Error", string(answer)))
		if r != nil && r.in != "" && strings.Contains(string(answer), "unknown field") {
			assert.Error(s, follows(s, r.in, body), "the document allows %s", body)
		}
		return
	}
	require.NotNil(s, r, "the document has no %s %s", method, path)
	assert.Equal(s, r.status, status)
	if r.out != "OpenAPI" {
		assert.NoError(s, follows(s, r.out, string(answer)))
	}
	if r.in != "" {
		assert.NoError(s, follows(s, r.in, body))
	}
}

// TestOpenAPI reads the document from the server, and requires that each of its paths is served.
func TestOpenAPI(t *testing.T) {
	s := serve(t)
	s.do("POST", "forks", `{"accessKey":"f"}`)
	status, text := s.do("GET", "openapi.json", "")
	assert.Equal(t, 200, status)
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	assert.Equal(t, "3.1.0", doc.OpenAPI)
	ids := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, o := range methods {
			assert.False(t, ids[o.OperationID], "%s is the id of two operations", o.OperationID)
			ids[o.OperationID] = true
			at := strings.TrimPrefix(strings.ReplaceAll(path, "{key}", "f"), "/")
			_, answer := s.do(strings.ToUpper(method), at, "")
			assert.NotContains(t, answer, "nothing at this path", "%s %s", method, path)
			if path == "/forks/{key}" {
				s.do("POST", "forks", `{"accessKey":"f"}`)
			}
		}
	}
	assert.Len(t, ids, len(allRoutes()))
}

// TestOpenAPIIsValid checks the document against the OpenAPI Initiative's schema of documents
// (https://spec.openapis.org/oas/3.1/schema/2026-08-03).
func TestOpenAPIIsValid(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile("testdata/openapi-3.1.schema.json")
	require.NoError(t, err)
	text, err := OpenAPI()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(doc))
	delete(doc.(map[string]any), "info")
	assert.Error(t, s.Validate(doc), "the schema allows everything")
}

// TestSchemasOfTypes compares the members of schemas with those of the types that are sent and
// received.
func TestSchemasOfTypes(t *testing.T) {
	var all map[string]struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	require.NoError(t, json.Unmarshal(schemas, &all))
	for name, of := range map[string]any{
		"Clock": clockInfo{}, "ClockTime": clockTime{}, "ClockStep": clockStep{},
		"Snapshot":    snapshotInfo{},
		"NewSnapshot": newSnapshot{}, "NewFork": newFork{}, "Fork": forkInfo{},
		"Overview": overviewInfo{}, "InjectedFault": faultInfo{},
		"Explain": explainInput{}, "Plan": traffic.Plan{}, "Capacity": traffic.Capacity{},
		"Read":      traffic.ReadReport{},
		"Partition": traffic.PartitionReport{}, "Finding": emulator.Finding{},
		"Traffic":   trafficInfo{},
		"KeyReport": traffic.KeyReport{}, "KeyExample": traffic.KeyExample{},
		"OperationCount": traffic.Operation{}, "Latency": latencyInfo{},
		"Operations": operationsInfo{}, "Operation": operationInfo{}, "OperationItem": itemInfo{},
		"OperationRead": readInfo{}, "Exchange": exchangeInfo{},
		"State": stateInfo{}, "States": states{}, "TableStates": tableStates{},
		"TableComparison": tableComparison{},
		"ItemComparison":  itemComparison{}, "ItemComparisons": itemComparisons{},
		"Expiration": expirationInfo{}, "HitPlace": hitPlace{},
		"NewExploration": newExploration{}, "NewWorker": workerInfo{},
		"NewID": newID{}, "Explorations": explorationList{}, "Exploration": shownExploration{},
		"Diagram": search.Diagram{}, "DiagramWorker": search.DiagramWorker{},
		"DiagramStep": search.DiagramStep{}, "DiagramItem": search.DiagramItem{},
		"Step": stepInfo{}, "Seat": seatInfo{},
		"WorkerEnd": workerEnd{}, "WorkerEnded": workerEnded{}, "ChecksEnd": checksEnd{},
		"ExplorationReport": explorationReport{}, "ExplorationFailure": explorationFailure{},
		"AllowedLoss": allowedLoss{}, "PartReport": search.PartReport{}, "Part": search.Part{},
		"PartFailure": search.PartFailure{},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
				if !f.IsExported() || f.Anonymous {
					continue
				}
				member, options, _ := strings.Cut(f.Tag.Get("json"), ",")
				assert.Contains(t, all[name].Properties, member)
				assert.Equal(t, options != "omitempty", slices.Contains(all[name].Required, member),
					"%s: required", member)
				delete(all[name].Properties, member)
			}
			assert.Empty(t, all[name].Properties, "the type has no such members")
		})
	}
}

// TestSchemaOfFaults holds the schema of faults to what the API accepts.
func TestSchemaOfFaults(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"name of an effect", `{"do":"throttle"}`, 201},
		{"list", `[{"do":"loseResponse"},{"do":{"latency":"50ms"}}]`, 201},
		{"every matcher",
			`{"when":{"operation":["PutItem","GetItem"],"table":"t","index":"i","key":{"pk":"a"},"access":"write",
			"not":{"nth":1},"and":[{"every":2}],"or":[{"first":1}],"probability":0.5,"after":{"count":1,"when":{"table":"t"}},
			"times":{"count":1,"when":{"table":"t"}}},"do":"internalServerError","seed":7,"mustHit":true}`, 201},
		{"throttle", `{"do":{"throttle":{"reason":"KeyRangeThroughputExceeded","index":"i"}}}`,
			201},
		{"unprocessed", `{"do":{"unprocessed":0.5}}`, 201},
		{"stale reads", `{"do":{"staleReads":{"writes":3,"time":"1s"}}}`, 201},
		{"lagging indexes", `{"do":{"laggingIndexes":{"time":"1s"}}}`, 201},
		{"partition", `{"do":{"partitionRegion":{"region":"us-west-2"}}}`, 201},
		{"partition of all regions", `{"do":{"partitionRegion":{}}}`, 201},
		{"delay of replication", `{"do":{"delayReplication":{"region":"us-west-2","delay":"5s"}}}`,
			201},
		{"duplicates in Kinesis", `{"do":"duplicateKinesisRecord"}`, 201},
		{"disorder in Kinesis", `{"do":{"disorderKinesisRecord":{}}}`, 201},
		{"disorder with a parameter", `{"do":{"disorderKinesisRecord":{"share":1}}}`, 400},
		{"delay without a duration", `{"do":{"delayReplication":{"region":"us-west-2"}}}`, 400},
		{"short pages", `{"do":{"shortPages":0}}`, 201},
		{"empty parameters", `{"do":{"dropConnection":{}}}`, 201},
		{"no effect", `{"when":{"first":1}}`, 400},
		{"unknown effect", `{"do":"explode"}`, 400},
		{"two effects", `{"do":{"shortPages":0,"unprocessed":1}}`, 400},
		{"effect that needs parameters", `{"do":"latency"}`, 400},
		{"unknown matcher", `{"when":{"verb":"GET"},"do":"loseResponse"}`, 400},
		{"empty matcher", `{"when":{},"do":"loseResponse"}`, 400},
		{"share above 1", `{"do":{"unprocessed":1.5}}`, 400},
		{"no bound", `{"do":{"staleReads":{}}}`, 400},
		{"nth zero", `{"when":{"nth":0},"do":"loseResponse"}`, 400},
		{"key that is no text", `{"when":{"key":{"pk":1}},"do":"loseResponse"}`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, answer := serve(t).do(http.MethodPost, "faults", c.body)
			assert.Equal(t, strconv.Itoa(c.status), strconv.Itoa(status), answer)
			assert.Equal(t, c.status == 201, follows(t, "NewFaults", c.body) == nil)
		})
	}
}
