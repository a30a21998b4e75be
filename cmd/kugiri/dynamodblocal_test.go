package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/servecmd"
)

// TestLocalHelp: -help shows what can follow, in DynamoDB Local's words.
func TestLocalHelp(t *testing.T) {
	out, _, err := runs(t, "-jar", "DynamoDBLocal.jar", "-help")
	require.NoError(t, err)
	for _, option := range strings.Fields(
		"-cors -dbPath -delayTransientStatuses -disableTelemetry -help -inMemory -optimizeDbBeforeStartup -port -sharedDb -version") {
		assert.Contains(t, out, "\n  "+option+" ")
	}
}

func TestTranslatedErrors(t *testing.T) {
	for _, c := range []struct{ name, in, says string }{
		{"both places", "-inMemory -dbPath /data", "-dbPath and -inMemory cannot both be given"},
		{"nothing to optimize", "-sharedDb -optimizeDbBeforeStartup",
			"-optimizeDbBeforeStartup needs -dbPath"},
		{"an unknown option", "-inMemory -fly", `unknown option "-fly"`},
		{"a typo", "-inMemory -shareDb", `unknown option "-shareDb": did you mean -sharedDb?`},
		{"an unknown argument", "-inMemory fly", `unknown argument "fly"`},
		{"no port", "-inMemory -port", "-port needs a value"},
		{"a port that is none", "-inMemory -port x", "port"},
		{"a value for a switch", "-inMemory=true", `unknown option "-inMemory=true"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, strings.Fields(c.in)...)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// TestLocalAnswers: what DynamoDB Local 2.6.1 answered, which jest-dynamodb and others wait for.
func TestLocalAnswers(t *testing.T) {
	const absent = `{"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",` +
		`"Message":"Request must contain either a valid (registered) AWS access key ID or X.509 certificate."}`
	local, _ := running(t, io.Discard, "-inMemory", "-port", "0")
	service, _ := serving(t)
	for _, c := range []struct {
		name, method, url string
		status            int
		contentType       string
		body              string
	}{
		{"the root", "GET", local + "/", 400, "application/x-amz-json-1.0", absent},
		{"the head of the root", "HEAD", local + "/", 400, "application/x-amz-json-1.0", ""},
		{"the console", "GET", local + "/shell/", 404, "text/plain; charset=utf-8",
			servecmd.NoConsole},
		{"the console without a slash", "GET", local + "/shell", 404, "text/plain; charset=utf-8",
			servecmd.NoConsole},
		{"health", "GET", local + "/healthz", 200, "text/plain", "ok\n"},
		{"the root of the service", "GET", service + "/", 200, "text/plain",
			"healthy: dynamodb.us-east-1.amazonaws.com "},
		{"the console of the service", "GET", service + "/shell/", 404, "text/plain",
			"<UnknownOperationException/>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, res.StatusCode)
			assert.Equal(t, c.contentType, res.Header.Get("Content-Type"))
			assert.Equal(t, c.body, string(body))
		})
	}
}

// TestLocalBanner: tools wait for the first or the last line of it.
func TestLocalBanner(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{strings.Fields("-inMemory -port 0"),
			`^Port:\t\d+ InMemory:\ttrue Version:\t.* DbPath:\tnull SharedDb:\tfalse shouldDelayTransientStatuses:\tfalse CorsParams:\tnull$`},
		{strings.Fields("-sharedDb -dbPath ./data -delayTransientStatuses -cors http://a -port 0"),
			`^Port:\t\d+ InMemory:\tfalse Version:\t.* DbPath:\t./data SharedDb:\ttrue shouldDelayTransientStatuses:\ttrue CorsParams:\thttp://a$`},
		{strings.Fields("-inMemory -cors * -port 0"), `CorsParams:\t\*$`},
	} {
		t.Chdir(t.TempDir())
		process := spawnReading(t, c.args...)
		lines := bufio.NewScanner(process)
		var said []string
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "CorsParams:") {
			said = append(said, lines.Text())
		}
		said = append(said, lines.Text())
		require.Greater(t, len(said), 2, said)
		assert.Contains(t, said[0], "kugiri: listening at")
		assert.Equal(t, "Initializing DynamoDB Local with the following configuration:", said[1])
		assert.Regexp(t, c.want, strings.Join(said[2:], " "))
	}
}

// spawnReading starts kugiri in a child process and returns its standard output.
func spawnReading(t *testing.T, args ...string) io.Reader {
	program, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(program, args...)
	process.Env = append(os.Environ(), asKugiri+"=true")
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		process.Process.Kill()
		process.Wait()
	})
	return out
}

// TestDBPath: what the Developer Guide's compose file says, in a working directory of the test's.
func TestDBPath(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("-jar DynamoDBLocal.jar -sharedDb -dbPath ./data -port 0")
	for _, region := range []string{"us-east-1", "eu-west-1"} {
		url, stop := running(t, io.Discard, args...)
		c := client(url)
		if region == "us-east-1" {
			createTable(t, c)
			_, err := c.PutItem(t.Context(),
				&dynamodb.PutItemInput{TableName: aws.String("table"), Item: testItem("a", 1, "")})
			require.NoError(t, err)
		}
		assert.Equal(t, map[string]int{"a": 1},
			versions(t, client(url, func(o *dynamodb.Options) { o.Region = region }), nil))
		require.NoError(t, stop())
	}
	assert.FileExists(t, filepath.Join("data", "tables.db"))
}

func TestServerHere(t *testing.T) {
	for _, c := range []struct {
		name, args, want string
		env              map[string]string
	}{
		{"nothing", "", "http://127.0.0.1:8000", nil},
		{"a port", "serve --host 0.0.0.0 --port 9000", "http://127.0.0.1:9000", nil},
		{"DynamoDB Local's port", "-jar DynamoDBLocal.jar -inMemory -port 9000",
			"http://127.0.0.1:9000", nil},
		{"a host", "serve --host ::1", "http://[::1]:8000", nil},
		{"the environment", "serve", "https://127.0.0.1:9000",
			map[string]string{"KUGIRI_PORT": "9000", "KUGIRI_TLS_SELF_SIGNED": "true"}},
		{"a variable of the gateway", "serve --port 9000", "http://127.0.0.1:9000",
			map[string]string{"KUGIRI_ENDPOINT": "http://x"}},
		{"nonsense", "serve --fly", "http://127.0.0.1:8000", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := servecmd.Here(strings.Fields(c.args), c.env, rootCommand())
			assert.Equal(t, c.want, got)
		})
	}
}
