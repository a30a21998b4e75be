package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	unseen  = "no record has the text"
	cutOff  = "the record is cut off"
	echoed  = "the text echoes the request at length"
	varying = "the text has an identifier or a time of its own"
)

// openTexts are how many expected errors of a file accept any end of a text, by the file's name,
// and why. The number may only become smaller: a new case has the text of a record, or is listed
// with its reason in conformance/facts/open.md.
var openTexts = map[string]openText{
	"backups_test.go":                   {8, unseen},
	"batch_test.go":                     {1, echoed},
	"condition_test.go":                 {5, unseen},
	"definition_tools_test.go":          {3, "it is about what tools do then"},
	"empty_parameters_test.go":          {2, unseen},
	"facts_control_test.go":             {4, varying},
	"facts_http_test.go":                {1, "a header, and no text"},
	"facts_layers_test.go":              {1, echoed},
	"facts_members_test.go":             {1, unseen},
	"facts_partiql_autumn_test.go":      {2, unseen},
	"facts_partiql_test.go":             {7, "no record has the position"},
	"facts_queries_test.go":             {3, cutOff},
	"facts_siblings_test.go":            {3, echoed},
	"facts_tables_test.go":              {5, "one for all operations"},
	"facts_transactions_test.go":        {1, cutOff},
	"features_test.go":                  {2, unseen},
	"global_tables_legacy_test.go":      {1, unseen},
	"global_tables_permissions_test.go": {7, "it is about the exception"},
	"global_tables_test.go":             {12, unseen},
	"index_test.go":                     {5, unseen},
	"insights_test.go":                  {1, unseen},
	"keys_test.go":                      {4, unseen},
	"kinesis_test.go":                   {1, varying},
	"multi_account_test.go":             {12, unseen},
	"multi_attribute_test.go":           {11, unseen},
	"partiql_batch_test.go":             {7, unseen},
	"partiql_test.go":                   {24, unseen},
	"permissions_test.go":               {3, "it is about the exception"},
	"probes_backups_test.go":            {1, cutOff},
	"probes_imports_test.go":            {5, cutOff},
	"probes_indexes_test.go":            {10, cutOff},
	"probes_replicas_test.go":           {3, cutOff},
	"probes_replicating_test.go":        {4, cutOff},
	"probes_restores_test.go":           {3, cutOff},
	"probes_scaling_test.go":            {2, varying},
	"probes_settings_test.go":           {1, varying},
	"probes_states_test.go":             {1, cutOff},
	"probes_subresources_test.go":       {1, varying},
	"probes_tags_test.go":               {1, cutOff},
	"probes_throughput_test.go":         {2, cutOff},
	"projection_test.go":                {1, unseen},
	"protocol_test.go":                  {1, "one for all that no record has"},
	"quotas_test.go":                    {1, varying},
	"reserved_words_test.go":            {1, "the test completes it"},
	"resource_policies_test.go":         {6, varying},
	"settings_test.go":                  {2, unseen},
	"states_test.go":                    {9, "states.md has the texts"},
	"streams_test.go":                   {11, unseen},
	"table_rules_test.go":               {10, unseen},
	"tags_test.go":                      {1, unseen},
	"transact_conflict_test.go":         {1, unseen},
	"transact_get_test.go":              {1, echoed},
	"transact_write_test.go":            {5, unseen},
	"transfers_test.go":                 {10, unseen},
	"update_table_rules_test.go":        {13, unseen},
	"update_table_test.go":              {11, unseen},
	"values_test.go":                    {3, unseen},
	"vectors_test.go":                   {20, unseen},
}

type openText struct {
	count int
	why   string
}

// TestOpenTexts counts the expectations whose texts nobody has seen.
func TestOpenTexts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, name := range files {
		if name == "record_test.go" || strings.HasPrefix(name, "harness_") ||
			name == "open_texts_test.go" || name == "case_test.go" { // they are about the form
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		n := 0
		ast.Inspect(file, func(node ast.Node) bool {
			if l, ok := node.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, err := strconv.Unquote(l.Value)
				require.NoError(t, err)
				if isOpen(text) {
					n++
				}
			}
			return true
		})
		assert.Equal(t, openTexts[name].count, n,
			"%s: a text that is known is written out; the list of openTexts follows", name)
		assert.Equal(t, n > 0, openTexts[name].why != "", name)
	}
}

// isOpen reports whether a text of a test is an expected error with an open end, and not one of
// another subject: a resource of a policy, an ARN, a list of columns.
func isOpen(text string) bool {
	if !strings.HasSuffix(text, "*") {
		return false
	}
	for _, other := range []string{"arn:", "RETURNING", "gzip", "identity"} {
		if strings.Contains(text, other) && !strings.Contains(text, "Exception") {
			return false
		}
	}
	for _, end := range []string{":*", "/*", ".*", "#*"} {
		if strings.HasSuffix(text, end) && !strings.Contains(text, "request") {
			return false
		}
	}
	return text != "*" && text != "SELECT *"
}
