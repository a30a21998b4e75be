package fault_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// newOrders returns a service with a table of orders.
func newOrders() (*emulator.Emulator, *emulator.HTTPClient) {
	e := emulator.New()
	client := e.HTTPClient("test", "us-east-1")
	data, err := seed.Of(seed.Table{
		Name: "orders", PartitionKey: seed.Attribute{Name: "id", Type: "S"},
	})
	if err == nil {
		err = data.Load(client)
	}
	if err != nil {
		panic(err)
	}
	return e, client
}

// put puts an order, and returns the status of the answer, or the error of the connection.
func put(client *emulator.HTTPClient, id string) string {
	body := strings.NewReader(`{"TableName":"orders","Item":{"id":{"S":"` + id + `"}}}`)
	r, err := http.NewRequest(http.MethodPost, "http://kugiri/", body)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
	answer, err := client.Do(r)
	if err != nil {
		return err.Error()
	}
	return answer.Status
}

// The second write of an order is throttled, and the answer to the third is lost, though it is
// written. The text form is that of the admin API.
func Example() {
	e, client := newOrders()
	writes := fault.And(fault.Operation("PutItem"), fault.Table("orders"))
	injected := e.SetFaults(
		fault.Fault{When: fault.And(writes, fault.Nth(2)), Do: fault.Throttle("")},
		fault.MustHit(fault.Fault{
			When: fault.And(writes, fault.Key("id", "3")), Do: fault.LoseResponse(),
		}),
	)
	for _, id := range []string{"1", "2", "3"} {
		fmt.Println(put(client, id))
	}
	items, err := e.Items("test", "us-east-1", "orders")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(items), "orders are stored")
	fmt.Println(injected[1].Hits(), injected[1].Missed(), injected[1].Fault())

	_, err = fault.Parse([]byte(`{"when":{"operation":"PutItems"},"do":"loseResponse"}`))
	fmt.Println(err)
	// Output:
	// 200 OK
	// 400 Bad Request
	// POST "http://kugiri/": EOF
	// 2 orders are stored
	// 1 false {"when":{"and":[{"and":[{"operation":"PutItem"},{"table":"orders"}]},{"key":{"id":"3"}}]},"do":"loseResponse","mustHit":true}
	// fault: number 1: when: operation: there is no operation "PutItems": did you mean PutItem?
}
