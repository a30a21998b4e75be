package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// areas maps the file of a test to its area on the scorecard. The longest prefix of the file's name
// counts.
var areas = map[string]string{
	"backups":            "Backups",
	"empty_parameters":   "Tables",
	"batch":              "Batches",
	"capacity":           "Capacity",
	"concurrency":        "Isolation",
	"condition":          "Expressions",
	"definition":         "Tables",
	"facts_batches":      "Batches",
	"facts_changing":     "Tables",
	"states":             "Tables",
	"facts_control":      "Tables",
	"facts_events":       "Exports, imports and bulk puts",
	"facts_expressions":  "Expressions",
	"agree":              "The suite itself",
	"facts_http":         "Protocol",
	"facts_judged":       "Validation",
	"facts_layers":       "Validation",
	"facts_members":      "Validation",
	"facts_partiql":      "PartiQL",
	"facts_queries":      "Query and Scan",
	"facts_raw":          "Protocol",
	"facts_siblings":     "Validation",
	"facts_tables":       "Tables",
	"facts_transactions": "Transactions",
	"facts_unchanged":    "Validation",
	"facts_values":       "Values",
	"facts_validation":   "Validation",
	"facts_vectors":      "Vector indexes",
	"features":           "Tables",
	"global_tables":      "Global tables",
	"harness":            "The suite itself",
	"index":              "Indexes",
	"insights":           "Contributor insights",
	"isolation":          "Isolation",
	"keys":               "Keys",
	"kinesis":            "Kinesis",
	"legacy":             "Legacy parameters",
	"multi_account":      "Global tables",
	"multi_attribute":    "Indexes",
	"paging":             "Paging",
	"open_texts":         "The suite itself",
	"partiql":            "PartiQL",
	"permissions":        "Permissions",
	"projection":         "Expressions",
	"protocol":           "Protocol",
	"probes":             "Tables",
	"put_get_delete":     "Items",
	"query":              "Query and Scan",
	"quotas":             "Tables",
	"record":             "The suite itself",
	"reserved_words":     "Expressions",
	"resource_policies":  "Resource policies",
	"scan":               "Query and Scan",
	"settings":           "Tables",
	"streams":            "Streams",
	"table":              "Tables",
	"tags":               "Tags",
	"texts":              "The suite itself",
	"transact":           "Transactions",
	"transfers":          "Exports, imports and bulk puts",
	"ttl":                "Time to live",
	"update_expression":  "Expressions",
	"update_item":        "Items",
	"update_table":       "Tables",
	"values":             "Values",
	"vectors":            "Vector indexes",
}

// areaOf returns the area of the tests of a file, or "" if it has none.
func areaOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), "_test.go")
	best := ""
	for prefix := range areas {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return areas[best]
}

// testAreas returns the areas of all tests in a directory, by the names of their functions.
func testAreas(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil &&
				strings.HasPrefix(f.Name.Name, "Test") {
				found[f.Name.Name] = areaOf(file)
			}
		}
	}
	return found, nil
}
