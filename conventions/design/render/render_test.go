package render_test

import (
	"encoding/json"

	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/mutate"
	"github.com/kugiri-db/kugiri/conventions/design/render"
)

// sample is a design. The files of those that are whole are in testdata; of the others there is a
// hash of each file.
type sample struct {
	name, file string
	whole      bool
}

// designs are those whose files TestGolden compares.
var designs = []sample{
	{"posts", "../designfile/testdata/design.yaml", true},
	{"shop", "../../../emulator/proof/testdata/shop.yaml", false},
	{"game", "../../../emulator/proof/testdata/game.yaml", false},
	{"together", "../../../emulator/proof/testdata/together.yaml", false},
	{"spread", "../../../emulator/proof/testdata/spread.yaml", true},
	{"similar", "../../../emulator/proof/testdata/similar.yaml", false},
	{"tenants", "../../../emulator/proof/testdata/tenants.yaml", false},
	{"begins", "../../../emulator/proof/testdata/begins.yaml", false},
	{"local", "../../../emulator/proof/testdata/local.yaml", false},
	{"fetched", "../../../emulator/proof/testdata/fetched.yaml", false},
	{"inverted", "../../../emulator/proof/testdata/inverted.yaml", false},
	{"names", "testdata/names.yaml", false},
	{"invariants", "../../../emulator/proof/testdata/invariants.yaml", true},
	{"support", "testdata/support.yaml", false}, // its code is in internal/support
	{"scaled", "../../../emulator/proof/testdata/scaled.yaml", false},
	{"takes", "../../../emulator/proof/testdata/takes.yaml", false},
	{"several", "../../../emulator/proof/testdata/several.yaml", false},
	{"feeds", "../../../emulator/proof/testdata/feeds.yaml", false},
	{"attributes", "../../../emulator/proof/testdata/attributes.yaml", false},
}

// further are designs with a consumer of a stream that TestGolden leaves out.
var further = []sample{
	{name: "alike", file: "testdata/alike.yaml"},
	{name: "copies", file: "testdata/copies.yaml"},
	{name: "tenanted", file: "testdata/tenanted.yaml"},
	{name: "depending", file: "testdata/depending.yaml"},
}

func planOf(t *testing.T, file string) *design.Plan {
	t.Helper()
	p, err := designfile.PlanFile(file)
	require.NoError(t, err)
	return p
}

// TestGo runs the tests of the generated packages: they load the samples, and run all patterns. It
// takes one package, and all of them with TEST_FULL=true.
func TestGo(t *testing.T) {
	packages := slices.Clone(designs)
	if os.Getenv("GOWORK") == "off" { // the oldest SDK that programs may use has no SearchVectors
		packages = slices.DeleteFunc(packages, func(d sample) bool { return d.name == "similar" })
	}
	if os.Getenv("TEST_FULL") == "" {
		packages = packages[:1]
	}
	dir := newPackages(t)
	for _, d := range packages {
		writePackage(t, d.file, filepath.Join(dir, d.name))
	}
	out, err := exec.Command("go", "test", "-count=1", "-v",
		"./"+filepath.ToSlash(dir)+"/...").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, len(packages), strings.Count(string(out), "\n--- PASS: TestPatterns "))
}

// TestGoNotices checks that the test of a generated package fails for a plan with a mistake.
func TestGoNotices(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	p := planOf(t, designs[0].file)
	names := []string{
		"the values of GSI1SK_GSI2SK_GSI3SK do not begin with the model's name",
		"GSI1 has no sort key",
	}
	dir := newPackages(t)
	for i, name := range names {
		at := slices.IndexFunc(mutate.All(p),
			func(m mutate.Mutation) bool { return m.Name == name })
		require.GreaterOrEqual(t, at, 0)
		files, err := render.Files(mutate.All(p)[at].Plan)
		require.NoError(t, err)
		for _, f := range files {
			name := filepath.Join(dir, strconv.Itoa(i), filepath.FromSlash(f.Name))
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
			require.NoError(t, os.WriteFile(name, f.Content, 0o644))
		}
	}
	says := failures(t, dir, "TestPatterns")
	for i, name := range names {
		assert.Contains(t, says[strconv.Itoa(i)+"/posts"], "found the rows", name)
	}
}

// TestGoNoticesWrites checks that the test of a generated package fails if a write lacks a part.
func TestGoNoticesWrites(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	const invariants, support = "../../../emulator/proof/testdata/invariants.yaml",
		"testdata/support.yaml"
	cases := []struct{ name, file, old, new, says string }{
		{"no guard", invariants, "\tw.put(UserEmail{Email: user.Email, ID: user.ID}.Item())\n", "",
			"a value is taken twice"},
		{"a guard that stays", invariants,
			"\tw.release(UserEmail{Email: user.Email, ID: user.ID}.Item())\n", "", "it is refused"},
		{"no condition on a delete", invariants, "\"attribute_exists(\" + e.Name(partition)",
			"\"attribute_not_exists(\" + e.Name(\"no\"+partition)", "it is done twice"},
		{"no condition on a put", invariants, "\"attribute_not_exists(\" + e.Name(partition)",
			"\"attribute_not_exists(\" + e.Name(\"no\"+partition)", "a value is taken twice"},
		{"a counter that counts double", invariants, "[]string{\"GSI2SK\"}, \"1\")",
			"[]string{\"GSI2SK\"}, \"2\")",
			"once: GSI2SK of"},
		{"a sum that is not kept", invariants, "order.Total, \"1\")", "\"7\", \"1\")",
			"once: total of"},
		{"a counter of ADD that stays", invariants, "err == nil && i < len(w.After)", "false",
			"once: posts of"},
		{"no token", invariants, "in.ClientRequestToken = &w.Token", "",
			"it is refused when it is sent again"},
		{"copies that are not counted", support, "\"phone\", \"coupon_copies\"", "\"phone\"",
			"a state that is over is taken"},
		{"an old copy that is put", support, "text(coupon.ShopPhone),\n\t})\n",
			"text(coupon.ShopPhone),\n\t})\n\tw.last.same = nil\n", "a state that is over is taken"},
	}
	dir := newPackages(t)
	for i, c := range cases {
		below := filepath.Join(dir, strconv.Itoa(i))
		writePackage(t, c.file, below)
		mistake(t, filepath.Join(below, tableIn(c.file)), c.old, c.new)
	}
	says := failures(t, dir, "TestWrites")
	for i, c := range cases {
		assert.Contains(t, says[strconv.Itoa(i)+"/"+tableIn(c.file)], c.says, c.name)
	}
}

// tableIn returns the name of a design's table, which is that of its file.
func tableIn(file string) string { return strings.TrimSuffix(filepath.Base(file), ".yaml") }

// TestGoNoticesStreams checks that the test of a generated package fails if the consumer of the
// stream lacks a part.
func TestGoNoticesStreams(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	cases := []struct{ name, old, new, says string }{
		{"no counter", "\ts.count(w)\n", "", "orders of"},
		{"a sum that is not kept", "[]string{\"orders\", \"spent\"}, \"1\", v.Total",
			"[]string{\"orders\", \"spent\"}, \"1\", \"7\"", "spent of"},
		{"a counter of a transaction that is left out", "\ts.countOnce(once)\n", "", "orders of"},
		{"a record that is counted twice", "\ts := &streaming{",
			"\tr.EventID = fmt.Sprint(time.Now().UnixNano())\n\ts := &streaming{",
			"a batch that comes again: orders of"},
		{"a new item keeps an old copy", "now.ShopName = of.Name", "_ = of", "the copy in"},
		{"copies alone in their attributes do not follow", "s.set(item, ", "_, _ = item, (",
			"the copy in"},
		{"a conflict that is no error", "return slices.ContainsFunc(refused.CancellationReasons,",
			"return !slices.ContainsFunc(refused.CancellationReasons,", "the consumer fails"},
		{"copies do not follow", "now.ShopName = is.Name", "now.Day = is.Name",
			"the copy in"},
		{"no item in a feed", "s.put(OrderFeed{", "_, _ = (OrderFeed{", "whether a feed has"},
		{"an item stays in a feed", "s.remove(OrderFeed{", "_, _ = (OrderFeed{",
			"whether a feed has"},
		{"the first page only", "out.LastEvaluatedKey, out.LastEvaluatedKey != nil",
			"out.LastEvaluatedKey, false", "the copy in"},
		{"items that are left unprocessed", "left = out.UnprocessedItems[TableName]",
			"left = out.UnprocessedItems[\"\"]",
			"whether a feed has"},
		{"a record that is left out", "return records[i].SequenceNumber, err", "continue",
			"orders of"},
	}
	dir := newPackages(t)
	for i, c := range cases {
		below := filepath.Join(dir, strconv.Itoa(i))
		writePackage(t, "testdata/support.yaml", below)
		mistake(t, filepath.Join(below, "support"), c.old, c.new)
	}
	says := failures(t, dir, "TestStream")
	for i, c := range cases {
		assert.Contains(t, says[strconv.Itoa(i)+"/support"], c.says, c.name)
	}
}

// mistake replaces a text in the files of a package that are no tests. One of them has it.
func mistake(t *testing.T, dir, old, with string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	found := false
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasSuffix(file, "_test.go") || !strings.Contains(string(code), old) {
			continue
		}
		found = true
		require.NoError(t, os.WriteFile(file,
			[]byte(strings.ReplaceAll(string(code), old, with)), 0o600))
	}
	require.True(t, found, old)
}

// TestGoStreams runs the tests of further packages with a consumer of a stream: those of the
// largest designs, and of those that mistakes were found with.
func TestGoStreams(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	dir := newPackages(t)
	formats := filepath.Join(dir, "formats.yaml")
	require.NoError(t, os.WriteFile(formats, []byte(formatsDesign), 0o600))
	files := []string{formats}
	for _, d := range further {
		files = append(files, d.file)
	}
	for _, name := range []string{"network", "market", "chat", "fleet"} {
		files = append(files, "../../../emulator/proof/testdata/"+name+".yaml")
	}
	for i, file := range files {
		writePackage(t, file, filepath.Join(dir, strconv.Itoa(i)))
	}
	out, err := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestStream$",
		"./"+filepath.ToSlash(dir)+"/...").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, len(files), strings.Count(string(out), "\n--- PASS: TestStream "), string(out))
}

// formatsDesign is a design in which only the format of a key tells items apart, and a user may
// follow himself.
const formatsDesign = `table: formats
models:
  - name: User
    key: [id]
    attributes:
      - {name: id, format: ulid}
      - {name: followers, type: number, counts: Follow.followee, kept: stream}
      - {name: follows, type: number, counts: Follow.follower, kept: stream}
  - name: Follow
    key: [id]
    puts: 1
    attributes:
      - {name: id, format: uuid}
      - {name: follower, format: ulid, of: User.id}
      - {name: followee, format: ulid, of: User.id}
patterns:
  - {name: a user, model: User, equal: [id], one: true}
`

// writePackage writes the files of a design into a directory.
func writePackage(t *testing.T, design, dir string) {
	t.Helper()
	all, err := render.Files(tablesOf(t, design)...)
	require.NoError(t, err)
	for _, f := range all {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Content, 0o600))
	}
}

// newPackages makes a directory for packages with mistakes, in this module.
func newPackages(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "mutation")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// failures runs a test of all packages below a directory, and returns what those that fail print.
func failures(t *testing.T, dir, test string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "test", "-json", "-vet=off", "-ldflags=-s -w", "-run", "^"+test+"$",
		"./"+filepath.ToSlash(dir)+"/...")
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	require.Error(t, err, string(out))
	printed, failed := map[string]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		var event struct{ Action, Package, Test, Output string }
		require.NoError(t, json.Unmarshal([]byte(line), &event), "%s%s", out, warnings.String())
		_, name, _ := strings.Cut(event.Package, "/"+filepath.Base(dir)+"/")
		printed[name] += event.Output
		if event.Action == "fail" && event.Test == "" {
			failed[name] = printed[name]
		}
	}
	return failed
}

// TestCloudFormation checks that a template has the input of CreateTable.
func TestCloudFormation(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			text := fileOf(t, d, "template.yaml")
			var template struct {
				Version   string `yaml:"AWSTemplateFormatVersion"`
				Resources struct {
					Table struct {
						Type       string         `yaml:"Type"`
						Properties map[string]any `yaml:"Properties"`
					} `yaml:"Table"`
				} `yaml:"Resources"`
			}
			require.NoError(t, yaml.Unmarshal(text, &template))
			assert.Equal(t, "2010-09-09", template.Version)
			assert.Equal(t, "AWS::DynamoDB::Table", template.Resources.Table.Type)
			got, err := json.Marshal(template.Resources.Table.Properties)
			require.NoError(t, err)
			want, err := json.Marshal(properties(planOf(t, d.file)))
			require.NoError(t, err)
			assert.JSONEq(t, string(want), string(got))
		})
	}
}

// properties returns the properties that a plan's table has in a template, which enables a stream
// by naming what it shows.
func properties(p *design.Plan) map[string]any {
	all := p.CreateTable()
	if ttl := p.TimeToLive(); ttl != nil {
		all["TimeToLiveSpecification"] = ttl["TimeToLiveSpecification"]
	}
	if p.Streams() {
		all["StreamSpecification"] = map[string]any{"StreamViewType": design.StreamView}
	}
	return all
}

// TestTerraform checks the form of the configuration with terraform, where it is installed.
func TestTerraform(t *testing.T) {
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		t.Skip("needs terraform")
	}
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			dir := t.TempDir()
			writePackage(t, d.file, dir)
			out, err := exec.Command(terraform, "fmt", "-check", "-diff",
				filepath.Join(dir, "table.tf")).CombinedOutput()
			require.NoError(t, err, string(out))
		})
	}
}

// TestReport checks that a report needs no other file, and that names are text in it.
func TestReport(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			text := fileOf(t, d, "plan.html")
			for _, forbidden := range []string{"<script", "<link", "<img", "src=", "url(", "http:",
				"https:", "ZgotmplZ"} {
				assert.NotContains(t, string(text), forbidden)
			}
		})
	}
}
