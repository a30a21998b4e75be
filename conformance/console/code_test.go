package console

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/kugiri-db/kugiri/conformance/clients"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostileText has what languages and shells escape.
const hostileText = "'it''s' \"quoted\" \\ \\n \\u0041 $HOME `id` $(id) %PATH% !! \n\r\t\b\f\x00\x1a\x7f \u2028 \ufeff 界 😀 </script> ${x} #{x} -- /* */"

// program is how the code of a language is run. It skips the test if a tool is missing.
type program struct {
	language string
	run      func(t *testing.T, code string) *exec.Cmd
}

var programs = []program{
	{"Go", runGo},
	{"AWS CLI", runShell},
	{"Python", runPython},
	{"JavaScript", runNode},
	{"JS document", runNode},
	{"Java", runJava},
}

// runGo runs code with the SDK of this module.
func runGo(t *testing.T, code string) *exec.Cmd {
	return exec.Command("go", "run", save(t, "main.go", code))
}

func runShell(t *testing.T, code string) *exec.Cmd {
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("there is no aws")
	}
	return exec.Command("bash", "-c", code)
}

func runPython(t *testing.T, code string) *exec.Cmd {
	dir := prepare(t, clients.Project{
		Dir: "../clients/python", Tools: []string{"python3"}, Files: []string{"requirements.txt"},
		Install: "python3 -m venv . && bin/python -I -m pip install --quiet -r requirements.txt",
	})
	return exec.Command(filepath.Join(dir, "bin", "python"), "-I", save(t, "main.py", code))
}

func runNode(t *testing.T, code string) *exec.Cmd {
	dir := prepare(t, clients.Project{
		Dir: "../clients/node", Tools: []string{"node", "npm"},
		Files:   []string{"package.json", "package-lock.json"},
		Install: "npm ci --ignore-scripts --no-audit --no-fund",
	})
	file := save(t, "main.mjs", code)
	require.NoError(t,
		os.Symlink(filepath.Join(dir, "node_modules"),
			filepath.Join(filepath.Dir(file), "node_modules")))
	return exec.Command("node", file)
}

// runJava runs code with what the project's pom.xml pins. Maven gets a repository and settings of
// its own, so that a person's do not matter.
func runJava(t *testing.T, code string) *exec.Cmd {
	dir := prepare(t, clients.Project{
		Dir: "../clients/java", Tools: []string{"java", "javac", "mvn"}, Files: []string{"pom.xml"},
		Install: "echo '<settings/>' >settings.xml && mvn --batch-mode --quiet --settings settings.xml" +
			` -Dmaven.repo.local="$PWD/repository" -DincludeScope=runtime -DoutputDirectory="$PWD/jars"` +
			" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies",
	})
	return exec.Command("java", "-cp", filepath.Join(dir, "jars", "*"), save(t, "Main.java", code))
}

// prepare returns the directory of a project that has the versions that the repository pins.
func prepare(t *testing.T, p clients.Project) string {
	if tool := p.Missing(); tool != "" {
		t.Skip("there is no " + tool)
	}
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	dir, err := p.Prepare(t.Context(), filepath.Join(cache, "kugiri-console"))
	require.NoError(t, err)
	return dir
}

func save(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// begin skips the test if the language is only tried in full, before it opens a page for it.
func (p program) begin(t *testing.T) {
	t.Helper()
	if p.language != "Go" {
		onlyInFull(t)
	}
}

// output runs the code that a page shows in a language, without credentials of its own.
func (p program) output(t *testing.T, page *page) string {
	t.Helper()
	page.click("button", p.language)
	var code string
	page.await("region", p.language)
	page.eval(`document.querySelector("pre.code").textContent`, &code)
	cmd := p.run(t, code)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "AWS_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null",
		"AWS_EC2_METADATA_DISABLED=true")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s", code, &problems)
	return string(out)
}

// hostileItems puts two items. One has everything and a hostile text.
func hostileItems(t *testing.T, s *server) {
	s.createTable(t, "all")
	item := everything("found")
	item["text"] = str(hostileText)
	item["__proto__"] = &types.AttributeValueMemberM{
		Value: attributes{"__proto__": str("x"), hostileText: num("1")},
	}
	s.putItem(t, "all", item)
	s.putItem(t, "all", attributes{"pk": str("found"), "sk": str("2")})
}

// everyType is a filter with a value of each type.
var everyType = []map[string]any{
	{"path": "text", "op": "=", "type": "S", "value": hostileText},
	{"path": "number", "op": "=", "type": "N", "value": digits38},
	{"path": "yes", "op": "=", "type": "BOOL", "value": "true"},
	{"path": "nothing", "op": "=", "type": "NULL", "value": ""},
	{"path": "texts", "op": "=", "type": "SS", "value": `["a","b,c"]`},
	{"path": "numbers", "op": "=", "type": "NS", "value": "1, 2.5"},
	{"path": "list", "op": "=", "type": "L", "value": `[{"S":"x"},{"N":"1"}]`},
	{"path": "map", "op": "=", "type": "M", "value": `{"a.b":{"L":[{"S":"deep"}]}}`},
	{"path": "__proto__", "op": "=", "type": "M",
		"value": `{"__proto__":{"S":"x"},` + quoted(hostileText) + `:{"N":"1"}}`},
}

// binaries are left out for version 1 of the AWS CLI, which takes them as they are, not as base64.
var binaryTypes = []map[string]any{
	{"path": "binary", "op": "=", "type": "B", "value": "AP8n"},
	{"path": "binaries", "op": "=", "type": "BS", "value": "AA==, /w=="},
}

// TestCodeOfAQuery: the code in each language, run by its own tools, finds the item that has the
// values.
func TestCodeOfAQuery(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hostileItems(t, s)
	for _, one := range programs {
		t.Run(one.language, func(t *testing.T) {
			one.begin(t)
			filter := everyType
			if one.language == "JS document" { // it cannot send __proto__
				filter = filter[:len(filter)-1]
			}
			if one.language != "AWS CLI" || !isCLI1() {
				filter = append(filter[:len(filter):len(filter)], binaryTypes...)
			}
			p := open(t, s,
				"#/tables/all/query?"+
					url.Values{"p0": {"found"}, "filter": {asJSON(filter)}}.Encode())
			p.see("reads 2, returns 1")
			p.click("button", "Code")
			out := one.output(t, p)
			assert.Contains(t, out, digits38)
			assert.Contains(t, out, "found")
			assert.Equal(t, 1, strings.Count(out, "found"), out)
			p.accessible()
			p.picture("code-" + strings.ReplaceAll(one.language, " ", "-"))
		})
	}
}

// isCLI1 reports whether the AWS CLI is of version 1.
func isCLI1() bool {
	out, _ := exec.Command("aws", "--version").CombinedOutput()
	return strings.HasPrefix(string(out), "aws-cli/1")
}

// TestCodeOfAnItem: the code in each language puts an item, makes the change of it that is staged,
// reads it and deletes it.
func TestCodeOfAnItem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "all")
	for _, one := range programs {
		t.Run(one.language, func(t *testing.T) {
			one.begin(t)
			item := everything("found")
			item["text"] = str(hostileText)
			item["state"] = str("open")
			if one.language == "AWS CLI" && isCLI1() {
				delete(item, "binary")
				delete(item, "binaries")
			}
			s.putItem(t, "all", item)
			key := attributes{"pk": item["pk"], "sk": item["sk"]}
			now := func() attributes {
				out, err := s.db.GetItem(t.Context(),
					&dynamodb.GetItemInput{TableName: aws.String("all"), Key: key})
				require.NoError(t, err)
				return out.Item
			}
			p := open(t, s, "#/tables/all/items")
			p.see("found")
			p.focus("grid", "Items")
			p.press("Enter")
			p.click("button", "Code")
			p.click("button", "update-item")
			p.see("Edit the item and add that to the changes")
			p.click("button", "delete-item")
			one.output(t, p)
			assert.Empty(t, now())
			p.click("button", "put-item")
			one.output(t, p)
			assert.Equal(t, item, now())
			p.click("button", "get-item")
			assert.Contains(t, one.output(t, p), digits38)

			p.click("button", "Edit the item")
			p.fill("Value of state", "sent")
			p.click("button", "Add to the changes")
			p.click("button", "update-item")
			p.see("#u0")
			one.output(t, p)
			assert.Equal(t, str("sent"), now()["state"])
			var below bool
			p.eval(`document.querySelector(".panel .code").getBoundingClientRect().bottom <=
				document.querySelector(".follow").getBoundingClientRect().top`, &below)
			assert.True(t, below, "the code lies over what follows it")
			p.accessible()
			p.picture("code-of-item-" + strings.ReplaceAll(one.language, " ", "-"))
		})
	}
}

// TestCodeOfARequestByHand: a limit makes it one page, and members that the form lacks are there.
func TestCodeOfARequestByHand(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	hostileItems(t, s)
	const request = `{"TableName":"all","Limit":1,"Select":"COUNT","ReturnConsumedCapacity":"TOTAL","ConsistentRead":true}`
	p := open(t, s, "#/tables/all/query?"+url.Values{"request": {request}}.Encode())
	p.see("Scan of all")
	p.click("button", "Code")
	for _, one := range programs {
		t.Run(one.language, func(t *testing.T) {
			one.begin(t)
			out := one.output(t, p)
			if one.language == "AWS CLI" {
				assert.Contains(t, out, `"Count": 1`)
			} else {
				assert.Equal(t, "1\n", out)
			}
		})
	}
	p.request()
	p.clickOn(".editor")
	p.press("Control+a")
	p.typed(`{"TableName":"all","KeyConditions":{}}`)
	p.click("button", "Code")
	p.see("There is no code for KeyConditions: use expressions.")
	p.request()
	p.clickOn(".editor")
	p.press("Control+a")
	p.typed(`{"TableName":"all","FilterExpression":"a = :a","ExpressionAttributeValues":{":a":{"M":{"__proto__":{"S":"x"}}}}}`)
	p.click("button", "Code")
	p.click("button", "JS document")
	p.see("The document client cannot send a member named __proto__.")
}
