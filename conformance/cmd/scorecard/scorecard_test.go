package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryFileHasAnArea(t *testing.T) {
	files, err := filepath.Glob("../../*_test.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	tests, err := testAreas("../..")
	require.NoError(t, err)
	for name, area := range tests {
		assert.NotEmpty(t, area, "the file of %s is in no area: see areas.go", name)
	}
	assert.Equal(t, "Expressions", tests["TestReservedWords"])
	assert.NotContains(t, tests, "TestEveryFileHasAnArea")
}

// printed is an output of go test -json.
const printed = `
{"Action":"start","Package":"p"}
{"Action":"run","Test":"TestA"}
{"Action":"run","Test":"TestA/one"}
{"Action":"attr","Test":"TestA/one","Key":"known","Value":"service facts"}
{"Action":"attr","Test":"TestA/one","Key":"source","Value":"service facts 3.5"}
{"Action":"output","Test":"TestA/one","Output":"noise"}
{"Action":"pass","Test":"TestA/one"}
{"Action":"attr","Test":"TestA/two","Key":"known","Value":"inferred"}
{"Action":"output","Test":"TestA/two","Output":"why"}
{"Action":"fail","Test":"TestA/two"}
{"Action":"fail","Test":"TestA"}
{"Action":"pass","Test":"TestB"}
{"Action":"skip","Test":"TestC"}
{"Action":"pass","Test":"TestD/case"}
{"Action":"output","Test":"TestD","Output":"set up"}
{"Action":"fail","Test":"TestD"}
{"Action":"output","Output":"FAIL\n"}
`

func TestScores(t *testing.T) {
	var rest strings.Builder
	run, err := readRun(strings.NewReader(printed),
		map[string]string{"TestA": "Keys", "TestB": "Items", "TestC": "Items", "TestD": "Items"},
		&rest)
	require.NoError(t, err)
	results := run.results
	assert.False(t, run.panicked)
	assert.Equal(t, []result{
		{Test: "TestA/one", Area: "Keys", Known: "service facts", Source: "service facts 3.5",
			Outcome: passed},
		{Test: "TestA/two", Area: "Keys", Known: "inferred", Outcome: failed, Output: "why"},
		{Test: "TestB", Area: "Items", Known: "manual", Outcome: passed},
		{Test: "TestC", Area: "Items", Known: "manual", Outcome: skipped},
		{Test: "TestD", Area: "Items", Known: "manual", Outcome: failed, Output: "set up"},
		{Test: "TestD/case", Area: "Items", Known: "manual", Outcome: passed},
	}, results)
	assert.Equal(t, "FAIL\n", rest.String())

	card := newScorecard("http://localhost:8000", results)
	assert.Equal(t, count{Passed: 3, Failed: 2, Skipped: 1}, card.Total)
	assert.Equal(t,
		map[string]*count{
			"Keys": {Passed: 1, Failed: 1}, "Items": {Passed: 2, Failed: 1, Skipped: 1},
		}, card.Areas)
	assert.Equal(t, results[1:2], card.Inferred)
	var text bytes.Buffer
	card.print(&text, true)
	assert.Contains(t, text.String(), "http://localhost:8000 passes 3 of 5 cases; 1 do not apply")
	assert.Contains(t, text.String(), "FAILED TestA/two\nwhy")

	_, err = readRun(strings.NewReader("no JSON"), nil, &rest)
	assert.Error(t, err)
}

// TestRunThatPanics: a test that panics has failed, as have those that were running, and another
// run leaves out those that began.
func TestRunThatPanics(t *testing.T) {
	var rest strings.Builder
	run, err := readRun(strings.NewReader(`
{"Action":"run","Test":"TestA"}
{"Action":"pass","Test":"TestA"}
{"Action":"run","Test":"TestB"}
{"Action":"run","Test":"TestB/case"}
{"Action":"output","Test":"TestB/case","Output":"panic: no such member\n"}
{"Action":"fail"}
`), map[string]string{"TestA": "Keys", "TestB": "Items"}, &rest)
	require.NoError(t, err)
	assert.True(t, run.panicked)
	assert.Equal(t, []result{
		{Test: "TestA", Area: "Keys", Known: "manual", Outcome: passed},
		{Test: "TestB/case", Area: "Items", Known: "manual", Outcome: failed,
			Output: "panic: no such member\n"},
	}, run.results)
	args, err := (&options{}).arguments(run.functions)
	require.NoError(t, err)
	assert.Equal(t, []string{"test", "-json", "-count=1", suite, "-skip", "^(TestA|TestB)$"}, args)
}

func TestUnits(t *testing.T) {
	read, written, err := units("PASS\nunits: 12 read, 34 written\nok\n")
	require.NoError(t, err)
	assert.Equal(t, [2]float64{12, 34}, [2]float64{read, written})
	_, _, err = units("PASS\n")
	assert.Error(t, err)
}

// TestRecordAndCompare runs some cases as a user would: it records the answers of Kugiri, and
// compares Kugiri with them.
func TestRecordAndCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.jsonl")
	o := options{cases: "TestNumberOfKeyConditions", record: file, asJSON: true}
	var out, log bytes.Buffer
	status, err := o.run(strings.NewReader(""), &out, &log)
	require.NoError(t, err, log.String())
	assert.Equal(t, 0, status, out.String())
	assert.Contains(t, out.String(), `"Query and Scan"`)

	program := filepath.Join(t.TempDir(), "suite.exe") // Windows runs no other names
	require.NoError(t, exec.Command("go", "test", "-c", "-o", program, suite).Run())
	compare := func() error {
		c := exec.Command(program, "-test.run", o.cases, "-recorded", file)
		c.Dir = "../.."
		return c.Run()
	}
	assert.NoError(t, compare())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t,
		os.WriteFile(file,
			bytes.ReplaceAll(text, []byte("exceeds the number"), []byte("is above the number")),
			0o644))
	assert.Error(t, compare(), "the recording says otherwise")
}

func TestStatusWithoutAScore(t *testing.T) {
	var out, log bytes.Buffer
	o := options{endpoint: "http://127.0.0.1:1", cases: "TestNumberOfKeyConditions"}
	status, err := o.run(strings.NewReader(""), &out, &log)
	assert.Equal(t, 2, status, "nothing listens there")
	assert.ErrorContains(t, err, "no case was run")

	o = options{endpoint: "aws", region: "us-east-1", cases: "TestKnown"}
	status, err = o.run(strings.NewReader("n\n"), &out, &log)
	require.NoError(t, err)
	assert.Equal(t, 2, status, "who was asked said no")
	assert.Contains(t, log.String(), "Go on? [y/N]")
}
