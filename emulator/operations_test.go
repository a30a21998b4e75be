package emulator

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// modelText is the service's API model without its documentation: the names of
// all operations (those on bulk puts are from the Go SDK), and the shapes of the
// operations that there are here (disassociation is from the Go SDK).
//
//go:embed testdata/model.json
var modelText []byte

type apiModel struct {
	Operations map[string][]string   `json:"operations"` // by target prefix
	IO         map[string][2]string  `json:"io"`         // shapes of input and output, "" for none
	Shapes     map[string]modelShape `json:"shapes"`
}

type modelShape struct {
	Type     string      `json:"type"`
	Min      int64       `json:"min"`
	Max      int64       `json:"max"`
	Pattern  string      `json:"pattern"`
	Enum     []string    `json:"enum"`
	Members  [][2]string `json:"members"` // name, shape
	Required []string    `json:"required"`
	Member   string      `json:"member"`
	Key      string      `json:"key"`
	Value    string      `json:"value"`
}

func readAPIModel(t *testing.T) *apiModel {
	m := new(apiModel)
	require.NoError(t, json.Unmarshal(modelText, m))
	return m
}

// missing are the operations that are not there yet.
var missing = []string{
	"CancelBulkOperation", "CreateBackup", "CreateGlobalTable", "DeleteBackup", "DeleteResourcePolicy",
	"DescribeBackup", "DescribeBulkOperation", "DescribeExport",
	"DescribeGlobalTable", "DescribeGlobalTableSettings", "DescribeImport",
	"DescribeTableReplicaAutoScaling", "DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination",
	"ExportTableToPointInTime",
	"ImportTable", "ListBulkOperations",
	"PutResourcePolicy", "RestoreTableFromBackup", "RestoreTableToPointInTime", "SearchVectors", "StartBulkPutItems",
	"UpdateContinuousBackups", "UpdateContributorInsights", "UpdateGlobalTable",
	"UpdateGlobalTableSettings", "UpdateKinesisStreamingDestination", "UpdateTableReplicaAutoScaling",
}

func TestOperationsAreThoseOfTheModel(t *testing.T) {
	var there, all []string
	for _, o := range operations {
		there = append(there, o.name)
	}
	assert.True(t, slices.IsSorted(there), "the table is not alphabetical")
	for _, names := range readAPIModel(t).Operations {
		all = append(all, names...)
	}
	require.Len(t, all, 58+4+4)
	assert.ElementsMatch(t, all, append(there, missing...), "each operation is there or missing")
}

func TestModelHasTheOperationsOfTheSDK(t *testing.T) {
	known := readAPIModel(t).Operations["DynamoDB_20120810"]
	client := reflect.TypeFor[*dynamodb.Client]()
	for i := range client.NumMethod() {
		m := client.Method(i)
		if m.Type.NumIn() == 4 && m.Type.IsVariadic() && m.Type.In(2).Elem().Name() == m.Name+"Input" {
			assert.Contains(t, known, m.Name)
		}
	}
}

// TestRequestsHaveTheMembersOfTheSDK: a member that is newer than the model is not passed over in silence.
func TestRequestsHaveTheMembersOfTheSDK(t *testing.T) {
	client := reflect.TypeFor[*dynamodb.Client]()
	for _, o := range operations {
		if m, ok := client.MethodByName(o.name); ok {
			assertMembers(t, o.name, m.Type.In(2).Elem(), o.input)
		}
	}
}

// assertMembers checks that an input has all members of the SDK's.
func assertMembers(t *testing.T, path string, sdk, ours reflect.Type) {
	for sdk.Kind() == reflect.Pointer {
		sdk = sdk.Elem()
	}
	for ours.Kind() == reflect.Pointer {
		ours = ours.Elem()
	}
	switch {
	case sdk.Kind() == reflect.Map && isMap(ours):
		assertMembers(t, path+"{}", sdk.Elem(), ours.Elem().Field(1).Type)
	case sdk.Kind() == reflect.Slice && ours.Kind() == reflect.Slice:
		assertMembers(t, path+"[]", sdk.Elem(), ours.Elem())
	case sdk.Kind() == reflect.Struct && ours.Kind() == reflect.Struct:
		for i := range sdk.NumField() {
			member := sdk.Field(i)
			if !member.IsExported() {
				continue
			}
			f, ok := ours.FieldByName(member.Name)
			if assert.True(t, ok, "%s.%s", path, member.Name) {
				assertMembers(t, path+"."+member.Name, member.Type, f.Type)
			}
		}
	}
}

func TestShapesAreThoseOfTheModel(t *testing.T) {
	m := readAPIModel(t)
	in := shapeChecker{T: t, model: m, required: true, seen: map[reflect.Type]bool{}}
	out := shapeChecker{T: t, model: m, seen: map[reflect.Type]bool{}}
	for _, o := range operations {
		io, ok := m.IO[o.name]
		require.True(t, ok, "testdata/model.json has no shapes for %s", o.name)
		in.check(io[0], o.input)
		if io[1] == "" {
			assert.Equal(t, reflect.TypeFor[struct{}](), o.output, o.name)
		} else {
			out.check(io[1], o.output)
		}
	}
}

// shapeChecker compares Go types with shapes of the model.
type shapeChecker struct {
	*testing.T
	model    *apiModel
	required bool // compare also what is required, which matters in requests only
	seen     map[reflect.Type]bool
}

func (c *shapeChecker) check(name string, typ reflect.Type) {
	s, ok := c.model.Shapes[name]
	require.True(c, ok, "testdata/model.json has no shape %s", name)
	switch {
	case s.Type == "structure" && name == "AttributeValue":
		assert.Contains(c, []reflect.Type{reflect.TypeFor[api.AttributeValue](), reflect.TypeFor[item.Attributes]()}, typ)
	case s.Type == "map" && s.Value == "AttributeValue":
		assert.Contains(c, []reflect.Type{reflect.TypeFor[item.Attributes](), reflect.TypeFor[item.JSON]()}, typ, name)
	case s.Type == "structure":
		c.structure(name, s, typ)
	case s.Type == "list":
		c.constraints(name, s, typ)
		if assert.Equal(c, reflect.Slice, typ.Kind(), name) {
			c.check(s.Member, typ.Elem())
		}
	case s.Type == "map":
		c.constraints(name, s, typ)
		if assert.True(c, isMap(typ), name) {
			c.check(s.Value, typ.Elem().Field(1).Type)
		}
	default:
		c.constraints(name, s, typ)
		kinds := map[string]reflect.Kind{"string": reflect.String, "integer": reflect.Int64, "long": reflect.Int64,
			"double": reflect.Float64, "timestamp": reflect.Float64, "boolean": reflect.Bool}
		assert.Equal(c, kinds[s.Type], typ.Kind(), name)
	}
}

// isMap reports whether a type is an api.Map.
func isMap(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && strings.HasPrefix(t.Elem().Name(), "Entry[")
}

func (c *shapeChecker) structure(name string, s modelShape, typ reflect.Type) {
	if c.seen[typ] {
		return
	}
	c.seen[typ] = true
	assert.Equal(c, name, typ.Name())
	if !assert.Equal(c, len(s.Members), typ.NumField(), "members of %s", name) {
		return
	}
	for i, m := range s.Members {
		f := typ.Field(i)
		tag, required := strings.CutSuffix(f.Tag.Get("wire"), ",required")
		assert.Equal(c, strings.ToUpper(m[0][:1])+m[0][1:], f.Name, name)
		assert.Equal(c, m[0], tag, name)
		if c.required {
			assert.Equal(c, slices.Contains(s.Required, m[0]), required, "%s.%s", name, m[0])
		}
		member := f.Type
		if member.Kind() == reflect.Pointer {
			member = member.Elem()
		}
		c.check(m[1], member)
	}
}

// constraints compares what a Go type and a shape say of their values.
func (c *shapeChecker) constraints(name string, s modelShape, typ reflect.Type) {
	got, constrained := api.ConstraintOf(typ)
	want := api.Constraint{Min: s.Min, Max: s.Max, Pattern: s.Pattern}
	assert.ElementsMatch(c, s.Enum, got.Enum, name)
	got.Enum = nil
	if constrained {
		want.Integer = s.Type == "integer"
	}
	if key := c.model.Shapes[s.Key]; s.Type == "map" && got.Keys != nil {
		c.check(s.Key, got.Keys)
		assert.Equal(c, s.Key, got.Keys.Name(), name)
		assert.NotZero(c, key.Type)
		want.Keys = got.Keys
	}
	assert.Equal(c, want, got, fmt.Sprintf("%s and %v", name, typ))
}
