package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		blocks     []block
		err        string
	}{
		{"a fence", "x:\n\n```sh\nls\n```\n", []block{{"d", 4, "sh", "", "ls\n"}}, ""},
		{"a file", "Write `a/b.json`:\n\n```json\n{}\n```\n",
			[]block{{"d", 4, "json", "a/b.json", "{}\n"}}, ""},
		{"a file before other text", "`b.json`:\nThen:\n```json\n{}\n```\n",
			[]block{{"d", 4, "json", "", "{}\n"}}, ""},
		{"a file of the block before", "`b.json`:\n```json\n{}\n```\n```sh\nls\n```\n",
			[]block{{"d", 3, "json", "b.json", "{}\n"}, {"d", 6, "sh", "", "ls\n"}}, ""},
		{"an indented command", "Run\n\n    go test ./...\n",
			[]block{{"d", 3, "sh", "", "go test ./...\n"}}, ""},
		{"indented text", "Run\n\n    the tests\n", nil, ""},
		{"an indented line of a block", "```go\n    go f()\n```\n",
			[]block{{"d", 2, "go", "", "    go f()\n"}}, ""},
		{"no language", "```\nls\n```\n", nil, "d:1: the block names no language"},
		{"no end", "```sh\nls\n", nil, "d:2 (sh): the block does not end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, err := parse("d", c.text)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.blocks, blocks)
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"YAML", "```yaml\na: [\n```\n", "d:2 (yaml): yaml: "},
		{"XML", "```xml\n<a>\n```\n", "d:2 (xml): XML syntax error on line 2: unexpected EOF"},
		{"JSON", "```json\n{} {\n```\n", "d:2 (json): unexpected EOF"},
		{"several values of JSON", "```json\n{}\n{}\n```\n", ""},
		{"an unknown language", "```ruby\n```\n", "d:2 (ruby): nothing runs this language"},
		{"a class without a file", "```java\n```\n",
			"d:2 (java): the line before the block does not name its file"},
		{"output of nothing", "```text\nx\n```\n",
			"d:2 (text): there are no commands before it that print it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, err := parse("d", c.text)
			require.NoError(t, err)
			err = check([]document{{"d", blocks}})
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.err)
		})
	}
}

// TestDocuments parses the blocks of the documents, which the program runs, and looks for each
// document in the index.
func TestDocuments(t *testing.T) {
	t.Chdir("../../..")
	documents, err := readDocuments(nil)
	require.NoError(t, err)
	require.NoError(t, check(documents))
	for _, b := range goBlocks(documents) {
		_, err := goFile(b)
		assert.NoError(t, err)
	}

	index, err := os.ReadFile("emulator/docs/README.md")
	require.NoError(t, err)
	for _, d := range documents[2:] { // the README and the index come first
		assert.Contains(t, string(index), filepath.Base(d.path)+")", "the index does not list it")
	}
}

func TestCommandLine(t *testing.T) {
	t.Setenv(localJars, "")
	for _, c := range []struct{ name, command, line string }{
		{"a command", "kugiri tables # all\n", "kugiri tables # all\n"},
		{"a server", "kugiri serve --admin  # for tests\n", "serve kugiri serve --admin  \n"},
		{"a server in the background", "go run ./cmd/kugiri &\n", "serve go run ./cmd/kugiri \n"},
		{"a server beside it", "kugiri gateway --endpoint http://localhost:8001 --port 8003\n",
			"beside kugiri gateway --endpoint http://localhost:8001 --port 8003\n"},
		{"another Kugiri beside it", "kugiri serve --admin --port 8100 &\n",
			"beside kugiri serve --admin --port 8100\n"},
		{"a server with another port", "kugiri serve --dax-port 8111\n",
			"serve kugiri serve --dax-port 8111\n"},
		{"another engine", "kugiri tables --endpoint $NEW\n",
			`left_out 'kugiri tables --endpoint $NEW' 'needs another engine; .ci/beyond runs it'` +
				"\n"},
		{"Docker", "docker run 'x'\n",
			`left_out 'docker run '\''x'\''' 'needs Docker; .ci/image tries the image'` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.line, commandLine(c.command)) })
	}
	t.Setenv(localJars, "jars")
	assert.Equal(t, "kugiri tables --endpoint $NEW\n",
		commandLine("kugiri tables --endpoint $NEW\n"), "there is another engine")
	assert.Equal(t, []string{"a \\\n  b\n", "c\n"}, commands("a \\\n  b\nc\n"))
}

func TestGoFile(t *testing.T) {
	for _, c := range []struct{ name, text, part string }{
		{"a file", "package x\n", "package x\n"},
		{"statements", "a, err := http.Get(\"\")\n",
			"func _() {\n\ta, err := http.Get(\"\")\n\t_ = a\n\t_ = err\n}"},
		{"declarations", "func TestX(t *testing.T) { fmt.Print() }\n", "import fmt \"fmt\"\n"},
		{"a package with another name", "var c = awshttp.NewBuildableClient()\n",
			"import awshttp \"github.com/aws/aws-sdk-go-v2/aws/transport/http\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := goFile(block{text: c.text})
			require.NoError(t, err)
			assert.Contains(t, file, c.part)
		})
	}
}

// TestSession runs a document that needs no server.
func TestSession(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, c := range []struct{ name, text, err string }{
		{"other output",
			"```sh\nx=\"two   words\"\necho $x; false\n```\n```text\nwords … two\n```\n",
			"the commands before it print\n"},
		{"output with any text",
			"```sh\necho one two three; false\n```\n```text\none … three\n```\n", ""},
		{"output of what is left out", "```sh\ndocker ps\n```\n```text\nx\n```\n", ""},
		{"a failure", "```sh\nfalse\n```\n", "README.md: exit status 1"},
		{"a failure before the output", "```sh\nfalse\necho one\n```\n```text\none\n```\n",
			"README.md: exit status 1"},
		{"a file", "In `a/b.json`:\n```json\n{}\n```\n```sh\ngrep {} a/b.json\n```\n", ""},
		{"variables of all blocks", "```sh\nexport A=1\n```\n```sh\n[ $A = 1 ]\n```\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, err := parse("d", c.text)
			require.NoError(t, err)
			s := &session{
				home: filepath.Join(t.TempDir(), "home"),
				env:  []string{"PATH=" + filepath.Dir(bash) + ":" + os.Getenv("PATH")},
			}
			var log bytes.Buffer
			err = s.run(t.Context(), document{readme, blocks}, &log)
			if c.err == "" {
				require.NoError(t, err, "%s", log.String())
				return
			}
			require.ErrorContains(t, err, c.err)
		})
	}
}
