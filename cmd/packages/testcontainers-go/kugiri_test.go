package kugiri_test

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"

	kugiri "github.com/kugiri-db/kugiri/cmd/packages/testcontainers-go"
)

// image is that of a server. The Docker API of this module's check ignores it.
var image = cmp.Or(os.Getenv("KUGIRI_IMAGE"), "kugiri")

// run starts a container.
func run(t *testing.T, options ...testcontainers.ContainerCustomizer) *kugiri.Container {
	if testing.Short() {
		t.Skip("it needs Docker, or what the check of this module has in its place")
	}
	c, err := kugiri.Run(t.Context(), image, options...)
	testcontainers.CleanupContainer(t, c)
	require.NoError(t, err)
	return c
}

const orders = `{"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
 "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
 "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}
{"id": {"S": "1"}}
`

// TestForksOfASeed writes to forks of a seed.
func TestForksOfASeed(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "testdata")
	require.NoError(t, os.Mkdir(seed, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(seed, "orders.json"), []byte(orders), 0o644))
	c := run(t, kugiri.WithSeed(seed), kugiri.WithFlags("--clock=held"))

	first, second := c.Fork(t, ""), c.Fork(t, "")
	put(t, c, first, "2")
	require.Equal(t, 2, count(t, c, first))
	require.Equal(t, 1, count(t, c, second), "what one fork writes, another must not see")
	require.Equal(t, 2, count(t, c, c.Fork(t, first)), "a fork begins with what the other has")

	held, err := c.Admin(t.Context(), http.MethodPost, "clock/advance", `{"by":"1h"}`)
	require.NoError(t, err)
	require.Contains(t, string(held), `"held":true`)
}

// TestToken asks the admin API without the token: other machines reach the container's port.
func TestToken(t *testing.T) {
	c := run(t)
	url, err := c.URL(t.Context())
	require.NoError(t, err)
	response, err := http.Get(url + "/_kugiri/faults")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
	_, err = c.Admin(t.Context(), http.MethodGet, "faults", "")
	require.NoError(t, err)
	_, err = c.Admin(t.Context(), http.MethodGet, "nothing", "")
	require.ErrorContains(t, err, "404")
}

// TestRunFails starts a container without one of its files.
func TestRunFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Docker, or what the check of this module has in its place")
	}
	c, err := kugiri.Run(t.Context(), image, kugiri.WithSeed("no-such-file"))
	testcontainers.CleanupContainer(t, c)
	require.ErrorContains(t, err, "no-such-file")
}

func client(t *testing.T, c *kugiri.Container, accessKey string) *dynamodb.Client {
	url, err := c.URL(t.Context())
	require.NoError(t, err)
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &url, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, "secret", ""),
	})
}

func put(t *testing.T, c *kugiri.Container, accessKey, id string) {
	_, err := client(t, c, accessKey).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("orders"),
		Item:      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
	})
	require.NoError(t, err)
}

func count(t *testing.T, c *kugiri.Container, accessKey string) int {
	out, err := client(t, c, accessKey).Scan(context.Background(),
		&dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	return int(out.Count)
}
