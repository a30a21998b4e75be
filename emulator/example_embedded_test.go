package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// users is the table that the service begins with.
var users = seed.Table{
	Name:         "users",
	PartitionKey: seed.Attribute{Name: "id", Type: "S"},
	Items:        []seed.Item{{"id": "42", "name": "Ada"}},
}

// rename is a request as any client sends it.
const rename = `{"TableName":"users","Key":{"id":{"S":"42"}},"UpdateExpression":"SET #n = :n",
	"ExpressionAttributeNames":{"#n":"name"},"ExpressionAttributeValues":{":n":{"S":"Grace"}}}`

// send sends a request to the endpoint. Its signature is that of the access key "test".
func send(url, operation, body string) error {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s: %s", answer.Status, text)
	}
	return nil
}

// A program that does not link the SDK embeds the service, fills it, serves it at a free port, and
// looks at what clients have written.
func Example_embedded() {
	e := emulator.New()
	data, err := seed.Of(users)
	if err != nil {
		panic(err)
	}
	if err := data.Load(e.HTTPClient("test", "us-east-1")); err != nil {
		panic(err)
	}
	server, err := e.Start("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer server.Close()

	if err := send(server.URL, "UpdateItem", rename); err != nil {
		panic(err)
	}
	var text strings.Builder
	if err := e.Dump(&text, "test", "us-east-1", "users"); err != nil {
		panic(err)
	}
	fmt.Print(text.String())
	// Output:
	// id: "42"
	//   name: "Grace"
}
