package conformance

import (
	"context"
	"crypto/rand"
	"flag"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

var (
	endpointFlag = flag.String("endpoint", "",
		"`URL` to test instead of a server of the suite's own")
	regionFlag = flag.String("region", "us-east-1", "`region` that requests are signed for")
	directFlag = flag.Bool("direct", false,
		"have clients reach the suite's own server by emulatortest.Direct, without HTTP and signatures")
)

// target is the server under test.
var target struct {
	url    string
	region string
	aws    bool // the real service: eventually consistent, and with real credentials
	creds  aws.CredentialsProvider
	client *dynamodb.Client

	emulator *emulator.Emulator // the emulator of the suite's own server, nil for another one
}

// runID is part of all table names of this run.
var runID = "kugiri-conformance-" + strings.ToLower(rand.Text()[:10])

func TestMain(m *testing.M) {
	flag.Parse()
	if err := openRecordings(); err != nil {
		log.Fatal(err)
	}
	stop := func() {}
	target.url, target.region = *endpointFlag, *regionFlag
	if target.url == "" {
		target.url, stop = startServer()
	}
	target.aws = strings.Contains(target.url, ".amazonaws.com") ||
		strings.Contains(target.url, ".api.aws")
	target.creds = credentials.NewStaticCredentialsProvider("CONFORMANCE", "secret", "")
	if target.aws {
		cfg, err := config.LoadDefaultConfig(context.Background(), config.WithRegion(target.region))
		if err != nil {
			log.Fatal(err)
		}
		target.creds = cfg.Credentials
	}
	target.client = newClient(target.creds, target.region)
	if *endpointFlag != "" {
		if _, err := target.client.ListTables(context.Background(),
			&dynamodb.ListTablesInput{Limit: aws.Int32(1)}); err != nil {
			log.Fatalf("no DynamoDB answers at %s (want a URL such as http://localhost:8000): %v",
				target.url, err)
		}
	}
	code := m.Run()
	deleteTables()
	stop()
	if err := writeRecording(); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// newClient makes a client of the SDK for the server under test.
func newClient(creds aws.CredentialsProvider, region string) *dynamodb.Client {
	options := clientOptions(creds, region)
	if !*directFlag {
		return dynamodb.New(options)
	}
	if target.emulator == nil {
		log.Fatal("-direct is for the suite's own server")
	}
	signer, err := creds.Retrieve(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	options.HTTPClient = target.emulator.HTTPClient(signer.AccessKeyID, region)
	options.Credentials = aws.AnonymousCredentials{}
	return dynamodb.New(options, emulatortest.Direct)
}

func clientOptions(creds aws.CredentialsProvider, region string) dynamodb.Options {
	return dynamodb.Options{
		BaseEndpoint: aws.String(target.url),
		Region:       region,
		Credentials:  creds,
		// Only the real service may throttle or fail temporarily. Other servers must not, except
		// for connections: the SDK's own client closes some that it still reads from, whatever the
		// server.
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			if !target.aws {
				o.Retryables = []retry.IsErrorRetryable{retry.RetryableConnectionError{}}
			}
		}),
	}
}

// deleteTables deletes the tables of the run. On a real account a leftover table costs money.
func deleteTables() {
	pages := dynamodb.NewListTablesPaginator(target.client,
		&dynamodb.ListTablesInput{ExclusiveStartTableName: aws.String(runID)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			log.Printf("tables of %s may be left: %v", runID, err)
			return
		}
		for _, name := range page.TableNames {
			if !strings.HasPrefix(name, runID) {
				return
			}
			if _, err := target.client.DeleteTable(context.Background(),
				&dynamodb.DeleteTableInput{TableName: aws.String(name)}); err != nil {
				log.Printf("table %s is left: %v", name, err)
			}
		}
	}
}
