// Package kugiri runs Kugiri, an emulator of DynamoDB, in a container for tests, with
// testcontainers-go.
package kugiri

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const port = "8000/tcp"

// A Container is a server in a container. Its methods are safe for concurrent use.
type Container struct {
	*testcontainers.DockerContainer
	token string // of the admin API
}

// Run starts a container of an image of Kugiri, and waits until the server is ready. Options of
// testcontainers-go change or add to what it asks for. If it fails, it may return a container too:
// pass what it returns to testcontainers.CleanupContainer in any case.
func Run(ctx context.Context, image string,
	options ...testcontainers.ContainerCustomizer) (*Container, error) {
	token := rand.Text()
	all := append([]testcontainers.ContainerCustomizer{
		testcontainers.WithExposedPorts(port),
		// The container's network makes requests of the tests come from another machine.
		testcontainers.WithCmd("serve", "--admin", "--admin-allow-remote"),
		testcontainers.WithEnv(map[string]string{"KUGIRI_ADMIN_TOKEN": token}),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/readyz").WithPort(port)),
	}, options...)
	started, err := testcontainers.Run(ctx, image, all...)
	if started == nil {
		return nil, err
	}
	return &Container{started, token}, err
}

// WithFlags adds flags of "kugiri serve", such as "--clock=held".
func WithFlags(flags ...string) testcontainers.ContainerCustomizer {
	return testcontainers.WithCmdArgs(flags...)
}

// WithSeed copies files or directories of this machine into the container. All access keys begin
// with their tables and items. They must have different names.
func WithSeed(paths ...string) testcontainers.ContainerCustomizer {
	return testcontainers.CustomizeRequestOption(
		func(request *testcontainers.GenericContainerRequest) error {
			for _, p := range paths {
				full, err := filepath.Abs(p)
				if err != nil {
					return err
				}
				seed := path.Join("/seed", filepath.Base(full))
				request.Files = append(request.Files, testcontainers.ContainerFile{
					HostFilePath: full, ContainerFilePath: seed, FileMode: 0o755,
				})
				request.Cmd = append(request.Cmd, "--seed", seed)
			}
			return nil
		})
}

// URL returns the server's address, for the BaseEndpoint of a client.
func (c *Container) URL(ctx context.Context) (string, error) {
	return c.PortEndpoint(ctx, port, "http")
}

// Fork returns an access key with tables of its own until the test ends. Requests that are signed
// with it, and with any secret, see only these. They begin as copies of what the access key from
// has, or, if from is empty, with the seed.
func (c *Container) Fork(tb testing.TB, from string) (accessKey string) {
	tb.Helper()
	accessKey = rand.Text()
	body, err := json.Marshal(map[string]string{"accessKey": accessKey, "from": from})
	if err == nil {
		_, err = c.Admin(tb.Context(), http.MethodPost, "forks", string(body))
	}
	if err != nil {
		tb.Fatalf("fork of %q: %v", from, err)
	}
	tb.Cleanup(func() {
		if _, err := c.Admin(context.WithoutCancel(tb.Context()), http.MethodDelete,
			"forks/"+accessKey, ""); err != nil {
			tb.Errorf("the fork %s cannot be removed: %v", accessKey, err)
		}
	})
	return accessKey
}

// Admin sends a request to the admin API and returns the body of the answer. The path is the part
// behind /_kugiri/ in https://github.com/kugiri-db/kugiri/blob/main/emulator/docs/admin.md, and
// the body is JSON or empty.
func (c *Container) Admin(ctx context.Context, method, path, body string) ([]byte, error) {
	url, err := c.URL(ctx)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url+"/_kugiri/"+path,
		strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return text, nil
}
