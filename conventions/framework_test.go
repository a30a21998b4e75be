package conventions_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/kugiri-db/kugiri/conventions"
)

// frameworkResult holds what a helper of @mbc-cqrs-serverless/core 0.1.48-beta.0 returned.
type frameworkResult struct {
	Helper  string `json:"f"`
	Args    []any
	Value   any    `json:"v"` // undefined and NaN are texts
	Differs string // why the package's function returns something else; "" if it does not
}

// frameworkReasons are the beginnings of what the package's documentation says of differences.
var frameworkReasons = map[string]string{
	"cut":     `cut a sort key at its last "@", whatever follows`,
	"nothing": "They cut @3 and ORDER#@3, too",
	"version": "addSortKeyVersion takes any version",
	"last":    "getTenantCode returns the last segment",
	"no key":  "Of PRODUCT# it returns an empty tenant",
	"default": "masterPk and seqPk take an empty tenant for the default one",
	"refused": "The framework's helpers accept and return any text.",
}

// ours returns the result of the package's function for a helper.
func (r *frameworkResult) ours(t *testing.T) any {
	text := func(i int) string { return r.Args[i].(string) }
	built := func(key string, err error) any {
		if err != nil {
			return err
		}
		return key
	}
	switch r.Helper {
	case "getSortKeyVersion":
		return float64(Version(text(0)))
	case "removeSortKeyVersion":
		return RemoveVersion(text(0))
	case "generateId":
		return built(ID(text(0), text(1)))
	case "addSortKeyVersion":
		version := r.Args[1].(float64)
		if version != float64(int(version)) {
			return ErrVersion // the type does not take it
		}
		return built(AddVersion(text(0), int(version)))
	case "getTenantCode":
		if tenant, ok := Tenant(text(0)); ok {
			return tenant
		}
		return "undefined"
	case "ttlSk":
		return built(TTLSortKey(text(0)))
	}
	var tenant []string
	for i := range r.Args {
		tenant = append(tenant, text(i))
	}
	if r.Helper == "masterPk" {
		return built(MasterKey(tenant...))
	}
	require.Equal(t, "seqPk", r.Helper)
	return built(SequenceKey(tenant...))
}

// TestFrameworkHelpers: the package's functions return what the helpers of the guide's framework
// do, except where the documentation of the package says why they do not.
func TestFrameworkHelpers(t *testing.T) {
	text, err := os.ReadFile("testdata/framework.json")
	require.NoError(t, err)
	var all []frameworkResult
	require.NoError(t, json.Unmarshal(text, &all))
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	said := strings.Join(strings.Fields(strings.ReplaceAll(string(doc), "//", "")), " ")
	same := 0
	for _, r := range all {
		got := r.ours(t)
		if r.Differs == "" {
			same++
			assert.Equal(t, r.Value, got, "%s(%q)", r.Helper, r.Args)
			continue
		}
		assert.NotEqual(t, r.Value, got, "%s(%q)", r.Helper, r.Args)
		require.NotEmpty(t, frameworkReasons[r.Differs], r.Differs)
		assert.Contains(t, said, frameworkReasons[r.Differs])
	}
	t.Logf("%d of %d results are the same", same, len(all))
}
