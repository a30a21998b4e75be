package emulatortest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// Tables and items come from the JSON that the AWS CLI reads and prints, or from a model of NoSQL
// Workbench.
func ExampleServer_Seed() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	s.Seed(t, "testdata/seed")
	fmt.Print(s.Dump(t, "users"))
	// Output:
	// id: "41"
	//   name: "Grace"
	//
	// id: "42"
	//   name: "Ada"
}

// Tables and items can also be Go values.
func ExampleServer_SeedTables() {
	t := new(exampleTest)
	defer t.end()

	s := emulatortest.Start(t)
	s.SeedTables(t, seed.Table{
		Name:         "users",
		PartitionKey: seed.Attribute{Name: "id", Type: "S"},
		Items: []seed.Item{
			{"id": "42", "name": "Ada", "age": 36, "tags": seed.StringSet{"math"}},
		},
	})
	fmt.Print(s.Dump(t, "users"))
	// Output:
	// id: "42"
	//   age: 36
	//   name: "Ada"
	//   tags: <<"math">>
}

// failure returns the error of a test that fails.
func failure(f func(emulatortest.TB)) (says string) {
	defer func() { says = fmt.Sprint(recover()) }()
	t := new(exampleTest)
	defer t.end()
	f(t)
	return ""
}

func TestSeedFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users.json")
	for text, says := range map[string]string{
		`{`:                            "no JSON",
		`{"Items":[{"id":{"S":"1"}}]}`: "ResourceNotFoundException",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		got := failure(func(t emulatortest.TB) { emulatortest.Start(t).Seed(t, file) })
		assert.True(t,
			strings.HasPrefix(got, "emulatortest: "+file+":1: ") && strings.Contains(got, says),
			got)
	}
	got := failure(func(t emulatortest.TB) {
		emulatortest.Start(t).SeedTables(t,
			seed.Table{Name: "users", Items: []seed.Item{{"id": struct{}{}}}})
	})
	assert.Contains(t, got, "no type of DynamoDB has a struct {}")
}
