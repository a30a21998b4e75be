// Testing / Test a program of its own, here and in CI
//
// A program that runs by itself, such as a worker in a container or in another language, needs an
// endpoint. `server.URL()` listens on a free port, so that tests still run in parallel: pass it to
// the program as `AWS_ENDPOINT_URL_DYNAMODB`, which every SDK reads, with the access key of the
// test. CI needs no service, no port and no container for it; it runs `go test`.
//
// For suites in other languages [Containers](../containers.md) has GitHub Actions and docker
// compose.

package recipes

import (
	"context"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// worker is the program. It knows nothing but its environment.
func worker(ctx context.Context) error {
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")),
		Region:       os.Getenv("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(os.Getenv("AWS_ACCESS_KEY_ID"),
			os.Getenv("AWS_SECRET_ACCESS_KEY"), ""),
	})
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("jobs"), Item: item{"id": str("1"), "state": str("done")},
	})
	return err
}

func TestOtherProcess(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("jobs", "id", ""))
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": server.URL(), "AWS_REGION": "us-east-1",
		"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "any",
	} {
		t.Setenv(name, value) // a command has them in exec.Cmd.Env
	}
	must(0, worker(t.Context()))
	if job := server.Item(t, "jobs", seed.Item{"id": "1"}); job["state"] != "done" {
		t.Errorf("the job is %v", job)
	}
}
