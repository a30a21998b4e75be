package console

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// TestMain ends what the tests share. Tests mostly wait for pages and servers, so more of them than
// there are cores run at the same time, unless the flag -parallel says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		f.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	status := m.Run()
	saySkipped()
	endChromium()
	os.RemoveAll(built.dir)
	os.Exit(status)
}

// built is the real kugiri, which the first test builds.
var built struct {
	sync.Once
	dir string
	err error
}

// builtVariable names a kugiri that is built already.
const builtVariable = "CONSOLE_KUGIRI"

// binary returns the path of kugiri.
func binary(t *testing.T) string {
	if path := os.Getenv(builtVariable); path != "" {
		return path
	}
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "kugiri-"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", filepath.Join(built.dir, "kugiri"),
			"github.com/kugiri-db/kugiri/cmd/kugiri").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	require.NoError(t, built.err)
	return filepath.Join(built.dir, "kugiri")
}

// server is a kugiri that serves the console.
type server struct {
	url      string // http://127.0.0.1:PORT
	fragment string // the fragment of the address that it prints for the console: the token, or ""
	db       *dynamodb.Client
}

// serve runs "kugiri serve --console" with more arguments until the test ends.
func serve(t *testing.T, args ...string) *server {
	return start(t, append([]string{"serve", "--console", "--port", "0"}, args...)...)
}

// start runs kugiri until the test ends, unless there is no browser for it. The first line that it
// prints names its address.
func start(t *testing.T, args ...string) *server {
	browser(t)
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, binary(t), args...)
	c.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		"AWS_REGION=us-east-1")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		stop()
		c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), " at ")
	require.True(t, ok, line)
	url, fragment, _ := strings.Cut(url, "/_kugiri/console/")
	return &server{url: url, fragment: fragment, db: client(url, "test")}
}

func client(url, accessKey string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, "test", ""),
	})
}

// send sends the JSON of a request, and returns that of the answer.
func (s *server) send(operation string, body io.Reader) ([]byte, error) {
	r, err := http.NewRequest(http.MethodPost, s.url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d: %s", answer.StatusCode, text)
	}
	return text, err
}
