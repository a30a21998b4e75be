package console

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// everybody is a Middleware that lets all requests pass.
func everybody(h http.Handler) http.Handler { return h }

func TestFiles(t *testing.T) {
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	for _, c := range []struct {
		name, method, path, header string
		status                     int
		contentType                string
		has                        string
	}{
		{"the page", "GET", "", "", 200, "text/html; charset=utf-8", "<title>Kugiri</title>"},
		{"the head of the page", "HEAD", "", "", 200, "text/html; charset=utf-8", ""},
		{"its script", "GET", "main.js", "", 200, "text/javascript; charset=utf-8", "import"},
		{"its style", "GET", "main.css", "", 200, "text/css; charset=utf-8", "color-scheme"},
		{"its icon", "GET", "icon.svg", "", 200, "image/svg+xml", "<svg"},
		{"the page as it was", "GET", "", "If-None-Match: " + files()["index.html"].tag, 304,
			"text/html; charset=utf-8", ""},
		{"another page", "GET", "", `If-None-Match: "x"`, 200, "text/html; charset=utf-8",
			"<title>"},
		{"nothing", "GET", "nothing.js", "", 404, "text/plain; charset=utf-8", "not found"},
		{"the page by another method", "PUT", "", "", 405, "text/plain; charset=utf-8", "Method"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, Path+c.path, nil)
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
			assert.Equal(t, c.contentType, w.Header().Get("Content-Type"))
			assert.Contains(t, w.Body.String(), c.has)
			if c.status == 200 {
				assert.Equal(t, pagePolicy, w.Header().Get("Content-Security-Policy"))
				assert.NotContains(t, pagePolicy, "unsafe")
			}
		})
	}
}

func TestFileCompressed(t *testing.T) {
	r := httptest.NewRequest("GET", Path, nil)
	r.Header.Set("Accept-Encoding", "gzip, br")
	w := httptest.NewRecorder()
	Handler(Local(emulator.New(), "v1", nil), everybody).ServeHTTP(w, r)
	assert.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
	assert.Equal(t, files()["index.html"].compressed(), w.Body.Bytes())
}

// TestBundleSize: the page is small enough to come at once.
func TestBundleSize(t *testing.T) {
	sum := 0
	for _, f := range files() {
		sum += len(f.compressed())
	}
	t.Logf("%d bytes", sum)
	assert.Less(t, sum, 320<<10)
	assert.Greater(t, sum, 10<<10)
}

// TestPreloads: the page loads at once what its script needs. The other scripts are few, as every
// page requests each of them: those of the other views and of the editors.
func TestPreloads(t *testing.T) {
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	get := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, Path+path, nil))
		require.Equal(t, http.StatusOK, w.Code, path)
		return w.Body.String()
	}
	page := get("")
	chunk := regexp.MustCompile(`from"\./(chunk-\w+\.js)"`)
	imports := chunk.FindAllStringSubmatch(get("main.js"), -1)
	require.NotEmpty(t, imports)
	for _, i := range imports {
		assert.Contains(t, page, `<link rel="modulepreload" href="`+i[1]+`">`)
	}
	scripts := 0
	for name := range files() {
		if strings.HasSuffix(name, ".js") {
			scripts++
		}
	}
	assert.LessOrEqual(t, scripts, 5)
}

// TestFirstLoad: what the browser loads before it shows a page stays small. The rest follows.
func TestFirstLoad(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(Local(emulator.New(), "v1", nil), everybody).ServeHTTP(w,
		httptest.NewRequest(http.MethodGet, Path, nil))
	page := w.Body.String()
	sum := 0
	for _, name := range append([]string{"index.html", "main.js", "main.css"}, preloaded(page)...) {
		sum += len(files()[name].compressed())
	}
	t.Logf("%d bytes", sum)
	assert.Less(t, sum, 100_000)
	assert.Greater(t, sum, 50_000)
}

func preloaded(page string) (names []string) {
	link := regexp.MustCompile(`modulepreload" href="([^"]+)"`)
	for _, m := range link.FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestTexts: each language has the same texts, in the same order, with the same parameters.
func TestTexts(t *testing.T) {
	want := texts(t, "en")
	assert.Greater(t, len(want), 50)
	assert.Equal(t, want, texts(t, "ja"))
}

var text = regexp.MustCompile(`(?m)^  "([^"]+)": "(.*)",$`)

// texts returns the keys of a language's texts, each with its parameters.
func texts(t *testing.T, language string) (keys []string) {
	file, err := os.ReadFile("web/src/i18n/" + language + ".ts")
	require.NoError(t, err)
	for _, m := range text.FindAllStringSubmatch(string(file), -1) {
		parameters := map[string]bool{}
		for _, p := range regexp.MustCompile(`\{\w+\}`).FindAllString(m[2], -1) {
			parameters[p] = true
		}
		key := m[1]
		for _, p := range []string{"{count}", "{total}", "{table}", "{word}", "{key}", "{index}",
			"{column}", "{size}", "{units}", "{tables}", "{time}"} {
			if parameters[p] {
				key += " " + p
			}
		}
		keys = append(keys, key)
	}
	return keys
}

func TestRegions(t *testing.T) {
	h := httptest.NewServer(Handler(Local(emulator.New(), "v1", nil), everybody))
	t.Cleanup(h.Close)
	for region, want := range map[string]int{
		"": 200, "eu-central-1": 200, "local": 200, "evil.example/": 400, "a b": 400,
	} {
		status, text := post(t, h.URL,
			map[string]string{"X-Amz-Target": "DynamoDB_20120810.ListTables", regionHeader: region},
			"{}")
		assert.Equal(t, want, status, "%q: %s", region, text)
	}
}

func TestOperations(t *testing.T) {
	db := emulator.New()
	local := httptest.NewServer(Handler(Local(db, "v1", nil), everybody))
	t.Cleanup(local.Close)
	for _, c := range []struct {
		name, target, key, body string
		status                  int
		says                    string
	}{
		{"no operation", "", "a", "{}", 400, "X-Amz-Target names no operation"},
		{"an unknown operation", "DynamoDB_20120810.Fly", "a", "{}", 400,
			"X-Amz-Target names no operation"},
		{"a table", "DynamoDB_20120810.CreateTable",
			"a", `{"TableName": "users", "BillingMode": "PAY_PER_REQUEST",
			"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}`, 200, `"TableName":"users"`},
		{"its owner", "DynamoDB_20120810.ListTables", "a", "{}", 200, `{"TableNames":["users"]}`},
		{"another", "DynamoDB_20120810.ListTables", "b", "{}", 200, `{"TableNames":[]}`},
		{"nobody, who sees the first", "DynamoDB_20120810.ListTables", "", "{}", 200,
			`{"TableNames":["users"]}`},
		{"an impossible access key", "DynamoDB_20120810.ListTables", "a/b", "{}", 400,
			`\"a/b\" is no access key`},
		{"a fault", "DynamoDB_20120810.DescribeTable", "a", `{"TableName": "other"}`, 400,
			"ResourceNotFoundException"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := post(t, local.URL,
				map[string]string{
					"X-Amz-Target": c.target, accessKeyHeader: c.key, regionHeader: "us-east-1",
				}, c.body)
			assert.Equal(t, c.status, status, text)
			assert.Contains(t, text, c.says)
		})
	}
}

func post(t *testing.T, url string, headers map[string]string, body string) (status int,
	text string) {
	r, err := http.NewRequest("POST", url+Path+"dynamodb", strings.NewReader(body))
	require.NoError(t, err)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(got)
}

// readOnly is an endpoint that the page has to ask before it writes to.
type readOnly struct{ Endpoint }

func (readOnly) Session() Session { return Session{ReadOnly: true} }

func TestReadOnly(t *testing.T) {
	h := httptest.NewServer(Handler(readOnly{Local(emulator.New(), "v1", nil)}, everybody))
	t.Cleanup(h.Close)
	for _, c := range []struct {
		name, operation, body string
		refused               bool
	}{
		{"a read", "ListTables", `{}`, false},
		{"a write", "DeleteTable", `{"TableName": "users"}`, true},
		{"a statement that reads", "ExecuteStatement", `{"Statement": " select * from users"}`,
			false},
		{"a statement that writes", "ExecuteStatement",
			`{"Statement": "DELETE FROM users WHERE id = 'a'"}`, true},
		{"statements that read", "BatchExecuteStatement",
			`{"Statements": [{"Statement": "SELECT * FROM users WHERE id = 'a'"}]}`, false},
		{"one that writes among them", "BatchExecuteStatement",
			`{"Statements": [{"Statement": "SELECT * FROM users"}, {"Statement": "UPDATE users"}]}`,
			true},
		{"a transaction that writes", "ExecuteTransaction",
			`{"TransactStatements": [{"Statement": "INSERT INTO users VALUE {'id': 'a'}"}]}`, true},
		{"what is no JSON", "ExecuteStatement", `SELECT`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := map[string]string{"X-Amz-Target": "DynamoDB_20120810." + c.operation}
			_, text := post(t, h.URL, target, c.body)
			assert.Equal(t, c.refused, strings.Contains(text, "ReadOnlyException"), text)
			target[writesHeader] = "allowed"
			_, text = post(t, h.URL, target, c.body)
			assert.NotContains(t, text, "ReadOnlyException")
		})
	}
}

func TestLoad(t *testing.T) {
	workbench, err := os.ReadFile("../../../../emulator/seed/testdata/forum.json")
	require.NoError(t, err)
	const terraform = "resource \"aws_dynamodb_table\" \"users\" {\n name = \"users\"\n billing_mode = \"PAY_PER_REQUEST\"\n hash_key = \"id\"\n attribute {\n name = \"id\"\n type = \"S\"\n }\n}"
	for _, c := range []struct {
		name, file, text string
		tables           []string
		items            int // items of the first table
	}{
		{"Terraform", "main.tf", terraform, []string{"users"}, 0},
		{"CloudFormation", "t.yaml",
			"Resources: {Simple: {Type: 'AWS::Serverless::SimpleTable', Properties: {TableName: simple}}}", []string{"simple"}, 0},
		{"a design", "design.yaml", string(designfile.Example()), []string{"posts"}, 0},
		{"a model of NoSQL Workbench", "forum.json", string(workbench), []string{"Forum", "Thread"},
			2},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := emulator.New()
			h := httptest.NewServer(Handler(Local(db, "v1", nil), everybody))
			t.Cleanup(h.Close)
			status, text := sendFile(t, h.URL, c.file, c.text)
			require.Equal(t, 200, status, text)
			assert.Equal(t, c.tables, db.TableNames("me", "us-east-1"))
			items, err := db.Items("me", "us-east-1", c.tables[0])
			require.NoError(t, err)
			assert.Len(t, items, c.items)
			status, text = sendFile(t, h.URL, c.file, c.text)
			assert.Equal(t, 400, status, "the tables are there already: %s", text)
			assert.NotContains(t, text, os.TempDir())
		})
	}
}

func TestLoadErrors(t *testing.T) {
	h := httptest.NewServer(Handler(Local(emulator.New(), "v1", nil), everybody))
	t.Cleanup(h.Close)
	for _, c := range []struct{ name, file, text, says string }{
		{"no name", "", "x", "the name of the file"},
		{"a directory", "a%2Fb.json", "x", "without a directory"},
		{"no JSON", "x.json", "x", "x.json:1"},
		{"a faulty design", "d.yaml", "models: 3", "d.yaml: "},
		{"a key that only the stack knows", "t.yaml",
			"Resources: {A: {Type: 'AWS::DynamoDB::Table', Properties: {KeySchema: !GetAtt A.B}}}",
			"left out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := sendFile(t, h.URL, c.file, c.text)
			assert.Equal(t, 400, status)
			assert.Contains(t, text, c.says)
		})
	}
}

// sendFile sends a file with tables as the access key me.
func sendFile(t *testing.T, url, name, text string) (status int, answer string) {
	r, err := http.NewRequest("POST", url+Path+"load?name="+name, strings.NewReader(text))
	require.NoError(t, err)
	r.Header.Set(accessKeyHeader, "me")
	r.Header.Set(regionHeader, "us-east-1")
	got, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	return got.StatusCode, string(body)
}

func TestEntities(t *testing.T) {
	p, err := policyfile.Parse([]byte(`
tables:
  - name: shop-*
    role: data
    entities:
      - {name: order, prefix: ORDER, sort: "{order:ulid}"}
      - {name: line, prefix: ORDER, sort: "LINE#{line:number}"}
      - {name: post, prefix: BLOG, sort: "Post_{created:timestamp}"}
  - name: others
    role: data
    entities: [{name: user, prefix: USER, tenant: common, sort: "PROFILE"}]
`))
	require.NoError(t, err)
	assert.Equal(t,
		[]Entity{{"shop-*", "line", "ORDER", "LINE#"}, {"shop-*", "post", "BLOG", "Post_"},
			{"shop-*", "order", "ORDER", ""}, {"others", "user", "USER", "PROFILE"}},
		Entities(p))
}
