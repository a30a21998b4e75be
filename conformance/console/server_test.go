package console

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

var binary string // kugiri

// TestMain builds kugiri, as the tests use the real one.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kugiri-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "kugiri")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/kugiri-db/kugiri/cmd/kugiri").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	status := m.Run()
	endChromium()
	os.RemoveAll(dir)
	os.Exit(status)
}

// server is a kugiri that serves the console.
type server struct {
	url      string // http://127.0.0.1:PORT
	fragment string // of the address that it prints for the console: the token, or ""
	db       *dynamodb.Client
}

// serve runs "kugiri serve --console" with more arguments until the test ends.
func serve(t *testing.T, args ...string) *server {
	return start(t, append([]string{"serve", "--console", "--port", "0"}, args...)...)
}

// start runs kugiri until the test ends. The first line that it prints names its address.
func start(t *testing.T, args ...string) *server {
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, binary, args...)
	c.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_REGION=us-east-1")
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
