package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bounded has, by file, why what a file reads as a whole has a limit although its call does not say
// which. Anything else that reads a whole input goes through storage/budget, or limits its reader
// where it calls io.ReadAll.
var bounded = map[string]string{
	"cmd/kugiri/healthcheck.go":                      "a file of /proc",
	"cmd/kugiri/internal/codelint/source.go":         "the file's size was asked before",
	"cmd/kugiri/internal/console/remote.go":          "the console's server limits bodies",
	"cmd/kugiri/internal/docsite/markdown/recipe.go": "a file of the program",
	"cmd/kugiri/internal/docsite/markdown/source.go": "a file of the program",
	"cmd/kugiri/internal/endpoint/http_client.go":    "a request of our own",
	"cmd/kugiri/internal/forks/forks.go":             "a request of our own",
	"conventions/guard/guard.go":                     "a request of the program's own",
	"emulator/admin/answer.go":                       "the handler limits bodies",
	"emulator/emulatortest/golden.go":                "a file of the test's own",
	"emulator/explore/search/cached_batch.go":        "an answer of the emulator",
	"emulator/explore/search/gate.go":                "a request of a worker's own",
	"emulator/explore/search/run.go":                 "an answer of the emulator",
	"conventions/api/generate/model.go":              "a file of the repository",
	"emulator/isolation/actor.go":                    "an answer of the emulator",
	"emulator/proof/client.go":                       "an answer of the emulator",
	"emulator/seed/data.go":                          "what the program itself opens or embeds",
	"emulator/seed/load.go":                          "an answer of the emulator",
	"emulator/traffic/races/replay.go":               "an answer of the emulator",
	"storage/disk/log_repair.go":                     "a file of the data directory",
	"storage/disk/marks.go":                          "a file of the data directory",
	"storage/disk/scan.go":                           "a file of the data directory",
	"storage/disk/segment.go":                        "a file of the data directory",
	"storage/disk/verify.go":                         "a file of the data directory",
}

// limits are calls that give io.ReadAll a limit.
var limits = map[string]bool{"io.LimitReader": true, "http.MaxBytesReader": true}

// selected returns the name of a call's function, such as "io.ReadAll".
func selected(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + s.Sel.Name
}

// readsWhole returns where a file reads something whole without a limit.
func readsWhole(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if selected(n.Fun) == "io.ReadAll" && len(n.Args) == 1 {
				if from, ok := n.Args[0].(*ast.CallExpr); ok && limits[selected(from.Fun)] {
					return false
				}
			}
		case *ast.SelectorExpr:
			switch selected(n) {
			case "io.ReadAll", "os.ReadFile", "fs.ReadFile":
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// TestReadersAreBounded: whatever reads a file, a body or an answer as a whole has a limit, or a
// reason. A new reader without either does not pass.
func TestReadersAreBounded(t *testing.T) {
	fset := token.NewFileSet()
	found := map[string]bool{}
	for dir, files := range packagesOf(t, fset) {
		if strings.HasPrefix(dir, "conformance") {
			continue
		}
		for _, f := range files {
			for _, at := range readsWhole(f) {
				where := fset.Position(at)
				name := path.Join(dir, path.Base(where.Filename))
				found[name] = true
				assert.NotEmpty(t, bounded[name], "%s:%d reads all of an input of any size: use "+
					"storage/budget, or say in bounded why it has a limit", name, where.Line)
			}
		}
	}
	require.NotEmpty(t, found)
	for name := range bounded {
		assert.True(t, found[name], "%s no longer reads: take it off the list", name)
	}
}

// decoders are the functions that make a decoder of a stream: what they read may have no end, and
// what they make of it may be larger than what they read.
var decoders = map[string]bool{
	"json.NewDecoder": true, "xml.NewDecoder": true, "yaml.NewDecoder": true,
	"csv.NewReader": true, "bufio.NewScanner": true, "ion.NewReader": true,
	"gzip.NewReader": true, "zlib.NewReader": true, "flate.NewReader": true,
	"bzip2.NewReader": true, "zstd.NewReader": true, "gob.NewDecoder": true,
}

// inMemory are the readers of what is in memory already: whatever brought it there had a limit.
var inMemory = map[string]bool{
	"bytes.NewReader": true, "bytes.NewBuffer": true, "bytes.NewBufferString": true,
	"strings.NewReader": true,
}

// streaming has, by file, what bounds each part that a decoder in it has at a time. A decoder that
// is not there reads from memory, or limits its reader where it is made.
var streaming = map[string]string{
	"cmd/kugiri/internal/servecmd/program_pages_linux.go": "a file of /proc",
	"cmd/kugiri/internal/transfer/csv.go":                 "limitedRecord",
	"cmd/kugiri/internal/transfer/format.go":              "a buffer; readers have limits by item",
	"cmd/kugiri/internal/transfer/jsonl.go":               "maxLine",
	"cmd/kugiri/internal/transfer/s3.go":                  "readers have limits by item",
	"emulator/bucket/csv.go":                              "limitedReader, by record",
	"emulator/bucket/ion_decode.go":                       "limitedReader, by record",
	"emulator/bucket/json.go":                             "maxRecord",
	"emulator/bucket/source.go":                           "limitedReader, by record",
	"emulator/explore/search/state.go":                    "an answer of the emulator",
	"emulator/internal/httpd/content_coding.go":           "ReadAll limits what it makes",
	"emulator/traffic/races/exchange.go":                  "MaxBytes, of all",
}

// decodes returns where a file makes a decoder of a stream that has no limit there.
func decodes(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !decoders[selected(call.Fun)] || len(call.Args) == 0 {
			return true
		}
		if from, ok := call.Args[0].(*ast.CallExpr); ok {
			if name := selected(from.Fun); limits[name] || inMemory[name] {
				return true
			}
		}
		at = append(at, call.Pos())
		return true
	})
	return at
}

// windowless returns where a file makes a decoder of Zstandard whose window, which is memory that a
// few bytes ask for, has no limit.
func windowless(f *ast.File) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || selected(call.Fun) != "zstd.NewReader" {
			return true
		}
		for _, option := range call.Args[1:] {
			if of, ok := option.(*ast.CallExpr); ok &&
				selected(of.Fun) == "zstd.WithDecoderMaxWindow" {
				return true
			}
		}
		at = append(at, call.Pos())
		return true
	})
	return at
}

// TestDecodersAreBounded: whatever decodes a stream has a limit of what it has at a time. A new
// decoder without one does not pass.
func TestDecodersAreBounded(t *testing.T) {
	fset := token.NewFileSet()
	found := map[string]bool{}
	for dir, files := range packagesOf(t, fset) {
		if strings.HasPrefix(dir, "conformance") {
			continue
		}
		for _, f := range files {
			for _, at := range decodes(f) {
				where := fset.Position(at)
				name := path.Join(dir, path.Base(where.Filename))
				found[name] = true
				assert.NotEmpty(t, streaming[name], "%s:%d decodes a stream of any size: limit "+
					"its reader, or say in streaming what bounds a part of it", name, where.Line)
			}
			for _, at := range windowless(f) {
				assert.Fail(t, "a window of any size", fset.Position(at).String())
			}
		}
	}
	require.NotEmpty(t, found)
	for name := range streaming {
		assert.True(t, found[name], "%s no longer decodes: take it off the list", name)
	}
}

// TestWhatIsFoundOfReaders: the checks see what they are to see.
func TestWhatIsFoundOfReaders(t *testing.T) {
	for _, c := range []struct {
		code                     string
		whole, decodes, windowed int
	}{
		{"io.ReadAll(r)", 1, 0, 0},
		{"io.ReadAll(io.LimitReader(r, 5))", 0, 0, 0},
		{"f(os.ReadFile)", 1, 0, 0},
		{"json.NewDecoder(r)", 0, 1, 0},
		{"json.NewDecoder(bytes.NewReader(b))", 0, 0, 0},
		{"json.NewDecoder(io.LimitReader(r, 5))", 0, 0, 0},
		{"csv.NewReader(f(r))", 0, 1, 0},
		{"zstd.NewReader(r)", 0, 1, 1},
		{"zstd.NewReader(r, zstd.WithDecoderMaxWindow(5))", 0, 1, 0},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go",
			"package x\n\nfunc x() { "+c.code+" }\n", 0)
		require.NoError(t, err)
		assert.Len(t, readsWhole(f), c.whole, c.code)
		assert.Len(t, decodes(f), c.decodes, c.code)
		assert.Len(t, windowless(f), c.windowed, c.code)
	}
}

// TestLimitsPage: the page of the limits says what the constants say.
func TestLimitsPage(t *testing.T) {
	root := filepath.Join("..", "..")
	spaces := regexp.MustCompile(`\s+`)
	text := func(name string) string {
		content, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		return spaces.ReplaceAllString(string(content), " ")
	}
	page := text("emulator/docs/limits.md")
	for _, c := range []struct{ file, constant, page string }{
		{"emulator/internal/httpd/head.go", "MaxHead = 16 << 10", "16 KB each"},
		{"emulator/internal/httpd/large_body.go", "TransitMemory = 128 << 20", "128 MB in flight"},
		{"emulator/internal/httpd/large_body.go", "transitWait = 30 * time.Second", "waits 30 s"},
		{"emulator/internal/httpd/large_body.go", "paceBytes = 1 << 20", "1 MB in every 10"},
		{"emulator/internal/httpd/body.go", "Trusted = 64 << 10", "more than 64 KB together"},
		{"emulator/internal/httpd/conns.go", "MaxConns = 16_384", "Connections | 16,384"},
		{"emulator/internal/httpd/conns.go", "ActiveTicks = 12", "| 120 s |"},
		{"emulator/internal/httpd/conns.go", "IdleTicks = 18", "| 180 s |"},
		{"emulator/internal/httpd/turn.go", "LeastTurn = 256 << 10", "Bodies of 256 KB"},
		{"emulator/internal/httpd/turn.go", "runtime.GOMAXPROCS(0)/2", "half of the processors"},
		{"emulator/admin/answer.go", "maxBody = 1 << 20", "admin API | 1 MB"},
		{"emulator/dax/conn.go", "maxConns = 4096", "| 4,096 |"},
		{"emulator/dax/conn.go", "greetingTime = 10 * time.Second", "4 KB, 10 s"},
		{"emulator/dax/conn.go", "greetingBytes = 4 << 10", "4 KB, 10 s"},
		{"emulator/dax/conn.go", "requestTime = time.Minute", "60 s each"},
		{"emulator/dax/conn.go", "idleTime = 10 * time.Minute", "| 10 minutes |"},
		{"emulator/dax/conn.go", "turnCalls = 16", "while others wait | 16 |"},
		{"emulator/dax/conn.go", "maxRequest = 16 << 20", "16 MB, 512 levels"},
		{"emulator/dax/conn.go", "maxMemory = 256 << 20", "256 MB, as messages or as JSON"},
		{"emulator/dax/cbor/head.go", "MaxDepth = 512", "512 levels"},
		{"emulator/dax/protocol/room.go", "maxEntries = 1000", "| 1,000 ("},
		{"emulator/dax/protocol/room.go", "maxValues = 4 << 20", "of a request | 4 MB | 413"},
		{"emulator/dax/lists.go", "maxLists = 64 << 20", "together | 64 MB"},
		{"emulator/dax/lists.go", "maxHeld = 8 << 20", "a connection uses | 8 MB"},
		{"emulator/dax/node.go", "maxWaiting = 10_000", "| 10,000, 64 MB |"},
		{"emulator/dax/cluster.go", "CacheBytes: 64 << 20", "`--dax-cache-memory`, 64 MB"},
		{"emulator/internal/serve/limits.go", "StreamMemory: 128 << 20",
			"`--stream-memory`, 128 MB"},
		{"emulator/internal/serve/limits.go", "PITRMemory: 128 << 20", "`--pitr-memory`, 128 MB"},
		{"emulator/internal/serve/limits.go", "KinesisMemory: 128 << 20",
			"`--kinesis-memory`, 128 MB"},
		{"emulator/internal/replication/link.go", "backlogMemory = 64 << 20", "replica | 64 MB"},
		{"emulator/trigger/deliver.go", "MaxEvent = 6 << 20", "function | 6 MB"},
		{"storage/budget/read.go", "SettingBytes = 16 << 20", "`clone` | 16 MB"},
		{"storage/budget/read.go", "StateBytes = 256 << 20", "compares with | 256 MB"},
		{"conventions/internal/fields/fields.go", "MaxBytes = 1 << 20", "mask | 1 MB"},
		{"emulator/traffic/patternfile/patternfile.go", "maxBytes = 1 << 20", "mask | 1 MB"},
		{"cmd/kugiri/internal/definition/yaml.go", "maxBytes = 10 << 20", "Template | 10 MB"},
		{"emulator/seed/data.go", "maxFile = 1 << 30", "seed | 1 GB"},
		{"emulator/seed/node.go", "maxMembers = 1 << 18", "262,144 members;"},
		{"emulator/seed/definition.go", "maxDefinition = 1 << 20", "1 MB; 10,000"},
		{"emulator/seed/definition.go", "maxTables = 10_000", "1 MB; 10,000"},
		{"cmd/kugiri/internal/transfer/format.go", "maxLine = 4 << 20", "in it | 4 MB;"},
		{"storage/budget/excerpt.go", "maxText = 800", "some 800 bytes"},
		{"cmd/kugiri/internal/transfer/format.go", "maxBlank = 64 << 20", "values of it | 64 MB"},
		{"cmd/kugiri/internal/transfer/format.go", "maxBlank = 64 << 20",
			"of a scan, in a file of an import | 64 MB"},
		{"emulator/bucket/source.go", "maxBlank = 64 << 20", "values of it | 64 MB"},
		{"cmd/kugiri/internal/transfer/values.go", "maxValue = 16 << 20", "4 MB; 16 MB |"},
		{"cmd/kugiri/internal/transfer/typed.go", "maxValues = 400 << 10", "sets | 409,600"},
		{"cmd/kugiri/internal/transfer/values.go", "maxTables = 10_000", "imported | 10,000"},
		{"emulator/bucket/source.go", "maxRecord = 4 << 20", "in it | 4 MB;"},
		{"cmd/kugiri/internal/endpoint/http_client.go", "mostAnswer = 32 << 20",
			"it lists | 32 MB; 100,000"},
		{"cmd/kugiri/internal/endpoint/tables.go", "mostTables = 100_000", "32 MB; 100,000"},
		{"emulator/bucket/source.go", "zstdMemory = 64 << 20", "Zstandard decoder | 64 MB"},
		{"emulator/bucket/source.go", "maxObjects = 50_000", "| 50,000 |"},
		{"cmd/kugiri/internal/agent/transport.go", "maxMessage = 2 << 20",
			"of a batch | 2 MB; 16 |"},
		{"cmd/kugiri/internal/agent/transport.go", "maxBatch = 16", "of a batch | 2 MB; 16 |"},
		{"cmd/kugiri/internal/agent/transport.go", "maxWaiting = 64",
			"without an answer | 64 |"},
		{"cmd/kugiri/internal/agent/server.go", "maxAnswer = 64 << 10", "`kugiri mcp` | 64 KB |"},
		{"cmd/kugiri/internal/codelint/source.go", "maxFileBytes = 8 << 20", "reads | 8 MB"},
		{"cmd/kugiri/internal/codelint/golang.go", "maxTokens = 1 << 19", "parsed | 524,288"},
		{"cmd/kugiri/internal/console/load.go", "maxFile = 16 << 20", "16 MB, Terraform 1 MB"},
		{"emulator/emulator.go", "httpd.NewTransit(httpd.TransitMemory)", "128 MB until they are"},
		{"cmd/kugiri/internal/console/design.go", "designsWaiting = 16", "one at a time, 16 wait"},
		{"emulator/internal/feature/triggers/triggers.go", "EventMemory = 128 << 20",
			"together | 128 MB | batches"},
		{"emulator/trigger/http.go", "responseMemory = 128 << 20", "6 MB; 128 MB"},
		{"storage/budget/marks.go", "MaxMarks = 1 << 17", "as a whole | 131,072"},
		{"cmd/kugiri/internal/definition/hcl_load.go", "maxTokens = 1 << 17",
			"of Terraform | 131,072"},
		{"conventions/internal/fields/decode.go", "maxElements = 1 << 14", "16,384 elements"},
		{"emulator/traffic/patternfile/patternfile.go", "maxWidth = 1000", "1,000 members"},
		{"emulator/iam/outline.go", "maxLevels = 100", "`--iam` | 100 levels"},
		{"conventions/design/beyond.go", "maxValueBytes = 1 << 20", "in a design | 1 MB"},
		{"conventions/design/design.go", "maxRate = 1e9", "Rate in a design; items, values"},
		{"conventions/design/design.go", "maxItems = 1e15", "| 10^9 a second; 10^15; 10^9 USD |"},
		{"emulator/proof/proof.go", "MaxStored = 256 << 20", "256 MB; 1 GB"},
		{"emulator/proof/load.go", "MaxLoadBytes = 1 << 30", "256 MB; 1 GB"},
		{"emulator/admin/explorations.go", "maxExplorations = 16", "a server | 16 |"},
		{"emulator/admin/explorations.go", "maxWorkers = 64", "a run | 64 |"},
		{"emulator/admin/explorations.go", "explorationIdle = 2 * time.Minute", "2 minutes;"},
		{"emulator/admin/explorations.go", "replayIdle = time.Hour", "an hour"},
	} {
		assert.Contains(t, text(c.file), c.constant, c.file)
		assert.Contains(t, page, c.page, "%s: %s", c.file, c.constant)
	}
}

// decoding are the functions that read the forms in which something arrives.
var decoding = regexp.MustCompile(`^((json|ctyjson)\.(Unmarshal|NewDecoder)|yaml\.(Unmarshal|NewDecoder)|` +
	`xml\.(Unmarshal|NewDecoder)|hclsyntax\.Parse\w+|jsontext\.NewScanner|cbor\.New(Reader|Source)|` +
	`csv\.NewReader|ion\.NewReader|gob\.NewDecoder|bufio\.NewScanner|partiql\.Parse\w*|` +
	`(gzip|zlib|flate|bzip2|zstd)\.NewReader|parser\.Parse\w+|(Big|Little)Endian\.Uint\d+)$`)

// unweighed has, by package, why what it decodes costs nobody anything: it is the program's own, or
// another package has weighed it before.
var unweighed = map[string]string{
	"cmd/kugiri":                             "an answer of an endpoint, within 32 MB",
	"cmd/kugiri/internal/agent":              "an answer of an endpoint, within 32 MB",
	"cmd/kugiri/internal/clone":              "an answer of an endpoint, within 32 MB",
	"cmd/kugiri/internal/compare":            "an item of an endpoint",
	"cmd/kugiri/internal/designs":            "its own files; a report of traffic, within a limit",
	"cmd/kugiri/internal/docsite/markdown":   "a file of the program",
	"cmd/kugiri/internal/forks":              "an answer of an endpoint, within 32 MB",
	"cmd/kugiri/internal/kinesissink":        "an answer of Kinesis, within 4 MB",
	"cmd/kugiri/internal/lint":               "a policy of an endpoint's table",
	"cmd/kugiri/internal/remote":             "an answer of an endpoint, within 32 MB",
	"cmd/kugiri/internal/servecmd":           "a file of /proc",
	"conventions/design/render":              "what it has written itself",
	"conventions/gateway":                    "an answer of an endpoint, within a limit",
	"conventions/api/generate":               "a file of the repository",
	"emulator/internal/feature/accelerators": "a request that emulator weighs; its own journal",
	"emulator/internal/feature/streams":      "an iterator that a shape has bounded",
	"emulator/internal/feature/jobs":         "its own journal and reports",
	"emulator/internal/permit":               "a statement that emulator weighs",
	"emulator/internal/tables":               "its own journal",
	"emulator/isolation":                     "an answer of the emulator",
	"emulator/proof":                         "an answer of the emulator",
	"emulator/traffic":                       "the key of an item of a request that emulator weighs",
	"storage":                                "its own journal",
	"storage/disk":                           "a file of the data directory",
	copied:                                   "an event of a Lambda function, which has a limit",
}

// isDecoding reports whether a call reads a form in which something arrives.
func isDecoding(call *ast.CallExpr) bool {
	name := selected(call.Fun)
	if s, ok := call.Fun.(*ast.SelectorExpr); ok && name == "" { // binary.BigEndian.Uint32
		if of, ok := s.X.(*ast.SelectorExpr); ok {
			name = of.Sel.Name + "." + s.Sel.Name
		}
	}
	return decoding.MatchString(name)
}

// weighedIn adds the packages of the readers that a file of tests weighs: those of literals of
// growth.Reader.
func weighedIn(f *ast.File, packages map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		list, isList := pair.Value.(*ast.CompositeLit)
		if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != "Packages" || !isList {
			return true
		}
		for _, e := range list.Elts {
			if text, ok := e.(*ast.BasicLit); ok {
				packages[strings.Trim(text.Value, `"`)] = true
			}
		}
		return false
	})
}

// weighers are the tests of readers: see growth.Reader.
var weighers = []string{"emulator/readers_test.go", "emulator/dax/readers_test.go",
	"cmd/kugiri/readers_test.go"}

// TestReadersAreWeighed: a package that decodes something is in the registry of readers, whose
// costs are measured, or says why it need not be.
func TestReadersAreWeighed(t *testing.T) {
	weighed := map[string]bool{}
	for _, name := range weighers {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", name), nil,
			parser.SkipObjectResolution)
		require.NoError(t, err)
		weighedIn(f, weighed)
	}
	fset := token.NewFileSet()
	found := map[string]bool{}
	for dir, files := range packagesOf(t, fset) {
		if strings.HasPrefix(dir, "conformance") {
			continue
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !isDecoding(call) {
					return true
				}
				found[dir] = true
				assert.True(t, weighed[dir] || unweighed[dir] != "", "%s decodes something and no "+
					"growth.Reader weighs it: add one to %v", fset.Position(call.Pos()), weighers)
				return true
			})
		}
	}
	for dir := range unweighed {
		assert.True(t, found[dir] && !weighed[dir], "%s is on the list without a reason", dir)
	}
	for dir := range weighed {
		assert.DirExists(t, filepath.Join("..", "..", dir))
	}
}
