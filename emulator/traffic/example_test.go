package traffic_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
)

// patterns has the access patterns that the application declares, in a file of its own.
const patterns = `
patterns:
  - name: a user by id
    table: users
    operation: GetItem
  - name: new users
    table: users
    operation: PutItem
`

// users is a table with two items.
var users = seed.Table{
	Name:         "users",
	PartitionKey: seed.Attribute{Name: "id", Type: "S"},
	Items:        []seed.Item{{"id": "1"}, {"id": "2"}},
}

// newUsers returns a service with the table.
func newUsers() *emulator.Emulator {
	e := emulator.New()
	data, err := seed.Of(users)
	if err == nil {
		err = data.Load(e.HTTPClient("test", "us-east-1"))
	}
	if err != nil {
		panic(err)
	}
	return e
}

// scan makes a request that nobody declared.
func scan(e *emulator.Emulator) {
	r, err := http.NewRequest(http.MethodPost, "http://kugiri/",
		strings.NewReader(`{"TableName":"users"}`))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Scan")
	if _, err := e.HTTPClient("test", "us-east-1").Do(r); err != nil {
		panic(err)
	}
}

// A recorder compares what clients do with what was declared, and says what it costs.
func Example() {
	declared, err := patternfile.Read(strings.NewReader(patterns))
	if err != nil {
		panic(err)
	}
	e := newUsers()
	r := traffic.NewRecorder(declared...)
	stop := e.Observe(r.Observe)
	scan(e)
	stop()

	fmt.Print(r.Report())
	// Output:
	// 1 requests, 2 read units, 0 write units
	//
	// Requests
	//   OPERATION  TABLE  REQUESTS  ERRORS
	//   Scan       users  1
	//
	// Capacity
	//   OPERATION  OF     READ  WRITE
	//   Scan       users  2     0
	//
	// Queries and scans
	//   OPERATION  OF     BY  PAGES  EVALUATED  RETURNED  UNITS  WHY
	//   Scan       users  -   1      2          2         2      no partition key is given: all items are read
	//
	// Access patterns
	//   NAME          REQUESTS
	//   a user by id  unused
	//   new users     unused
	//
	// Undeclared accesses
	//   OPERATION  OF     BY  REQUESTS
	//   Scan       users      1
}
