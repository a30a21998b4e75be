package emulator

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// apiModel is a service's part of the API model.
type apiModel struct {
	Metadata   struct{ TargetPrefix string }
	Operations map[string]struct{ Input, Output struct{ Shape string } }
}

func readAPIModel(t *testing.T) []apiModel {
	models := make([]apiModel, 2)
	for i, name := range []string{"dynamodb", "dynamodbstreams"} {
		text, err := os.ReadFile("../conventions/api/model/" + name + "-2012-08-10.json")
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &models[i]))
	}
	return models
}

func TestCatalogIsThatOfTheModel(t *testing.T) {
	var catalogued, all []string
	for o := range catalog.All() {
		catalogued = append(catalogued, o.Target())
	}
	for _, m := range readAPIModel(t) {
		for name := range m.Operations {
			all = append(all, m.Metadata.TargetPrefix+"."+name)
		}
	}
	require.NotEmpty(t, all)
	assert.ElementsMatch(t, all, catalogued)
}

// TestPageOfOperations: the page names each operation, and says how many there are.
func TestPageOfOperations(t *testing.T) {
	text, err := os.ReadFile("docs/operations.md")
	require.NoError(t, err)
	count := 0
	for o := range catalog.All() {
		assert.Regexp(t, `\b`+o.Name+`\b`, string(text), "operations.md names it")
		count++
	}
	assert.Contains(t, string(text),
		fmt.Sprintf("These are all %d operations of the two services.", count))
}

func TestOperationsAreAlphabetical(t *testing.T) {
	assert.True(t,
		slices.IsSortedFunc(operations,
			func(a, b serve.Operation) int { return strings.Compare(a.Name, b.Name) }))
}

func TestOperationsHaveTheShapesOfTheModel(t *testing.T) {
	for _, m := range readAPIModel(t) {
		for _, o := range operations {
			if shapes, ok := m.Operations[o.Name]; ok {
				assert.Equal(t, m.Metadata.TargetPrefix+".", string(o.Service), o.Name)
				assert.Equal(t, shapes.Input.Shape, o.Input.Name(), o.Name)
				assert.Equal(t, shapes.Output.Shape, o.Output.Name(), o.Name)
			}
		}
	}
}

func TestModelHasTheOperationsOfTheSDK(t *testing.T) {
	known := readAPIModel(t)[0].Operations
	client := reflect.TypeFor[*dynamodb.Client]()
	for i := range client.NumMethod() {
		m := client.Method(i)
		if m.Type.NumIn() == 4 && m.Type.IsVariadic() &&
			m.Type.In(2).Elem().Name() == m.Name+"Input" {
			assert.Contains(t, known, m.Name)
		}
	}
}

// TestRequestsHaveTheMembersOfTheSDK: a member that is newer than the model is not passed over in
// silence.
func TestRequestsHaveTheMembersOfTheSDK(t *testing.T) {
	for _, client := range []reflect.Type{reflect.TypeFor[*dynamodb.Client](),
		reflect.TypeFor[*dynamodbstreams.Client]()} {
		for _, o := range operations {
			if m, ok := client.MethodByName(o.Name); ok {
				assertMembers(t, o.Name, m.Type.In(2).Elem(), o.Input)
			}
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

// isMap reports whether a type is an api.Map.
func isMap(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && strings.HasPrefix(t.Elem().Name(), "Entry[")
}
