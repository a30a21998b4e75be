package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// scriptModule has names that generated code may import. A name begins with "type" if it is one.
// part is the part of package support that the module is in, "" for others.
type scriptModule struct {
	from, part string
	names      []string
}

// ofModules are the modules that generated code may import from, in the order of its imports.
var ofModules = []scriptModule{
	{"node:util", "", []string{"isDeepStrictEqual"}},
	{"@aws-sdk/lib-dynamodb", "", []string{"SearchVectorsCommand", "type DynamoDBDocumentClient",
		"type GetCommandInput", "type QueryCommandInput", "type SearchVectorsCommandInput"}},
	{"./fetch_support.js", "fetch", []string{"fetchWhole"}},
	{"./keys_support.js", "keys", []string{"beginning", "digits", "fixed", "given", "itemOf",
		"join", "need", "numeric", "part", "scaled", "split", "unscaled", "type Item"}},
	{"./periods_support.js", "periods", []string{"period", "periods"}},
	{"./results_support.js", "results", []string{"Results"}},
	{"./shards_support.js", "shards", []string{"shard", "shards"}},
	{"./stream_support.js", "stream", []string{"Consumer", "marked", "type Effects", "type Shape",
		"type StreamRecord"}},
	{"./table_name.js", "table", []string{"table"}},
	{"./values_support.js", "values", []string{"distinct"}},
	{"./writes_support.js", "writes", []string{"Writer", "pairs", "type Write"}},
}

// ofTests are the further modules that a generated test may import from.
var ofTests = []scriptModule{
	{"./fetch_support.trials.js", "fetch", []string{"tryFetches"}},
	{"./results_support.trials.js", "results", []string{"pages"}},
	{"./stream_support.trials.js", "stream", []string{"tryStreams"}},
	{"./table_support.trials.js", "table", []string{"Samples", "change", "get", "query",
		"type Rebuild"}},
	{"./writes_support.trials.js", "writes", []string{"gone", "rewound", "tryWrites"}},
}

// A text of code without comments and strings has its names, and unqualified finds those that are
// not read from an object.
var (
	commentsAndStrings = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"`)
	unqualified        = regexp.MustCompile(`(^|[^.\w])([A-Za-z_]\w*)`)
)

// importing writes the imports of the names that code uses, from modules of the parts that the
// generated module has beside it.
func importing(code string, parts []string, modules ...scriptModule) string {
	used := map[string]bool{}
	bare := commentsAndStrings.ReplaceAllString(code, "")
	for _, found := range unqualified.FindAllStringSubmatch(bare, -1) {
		used[found[2]] = true
	}
	var packages, own lines
	for _, m := range modules {
		names := slices.DeleteFunc(slices.Clone(m.names),
			func(name string) bool { return !used[strings.TrimPrefix(name, "type ")] })
		switch {
		case len(names) == 0 || m.part != "" && !slices.Contains(parts, m.part):
		case m.part == "":
			packages.add("%s", importOf(names, m.from))
		default:
			own.add("%s", importOf(names, m.from))
		}
	}
	if packages.Len() > 0 {
		return "\n" + packages.String() + "\n" + own.String()
	}
	return "\n" + own.String()
}

// importOf writes one import, in as many lines as it needs.
func importOf(names []string, from string) string {
	const widest = 120
	line := fmt.Sprintf("import { %s } from %s;", strings.Join(names, ", "), scriptQuote(from))
	if len(line) <= widest {
		return line
	}
	return fmt.Sprintf("import {\n  %s,\n} from %s;", strings.Join(names, ",\n  "),
		scriptQuote(from))
}
