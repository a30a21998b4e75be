package seed_test

import (
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// products are Go values.
var products = seed.Table{
	Name:         "products",
	PartitionKey: seed.Attribute{Name: "id", Type: "S"},
	SortKey:      seed.Attribute{Name: "version", Type: "N"},
	GlobalIndexes: []seed.Index{
		{Name: "by-kind", PartitionKey: seed.Attribute{Name: "kind", Type: "S"}},
	},
	Items: []seed.Item{
		{"id": "p1", "version": 1, "kind": "book", "tags": seed.StringSet{"new", "used"}},
	},
}

// files holds the output of the AWS CLI. A program has such files in an embed.FS, or in a directory
// (ReadFiles).
var files = fstest.MapFS{
	"users.json": {Data: []byte(`{"TableName": "users", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}`)},
	"users.items.json": {Data: []byte(`{"Items": [{"id": {"S": "42"}, "name": {"S": "Ada"}}]}`)},
}

// load loads data, and ends the program if that fails.
func load(client seed.Client, data *seed.Data, err error) {
	if err == nil {
		err = data.Load(client)
	}
	if err != nil {
		panic(err)
	}
}

// Tables and items come from Go values and from files, and go back to files.
func Example() {
	e := emulator.New()
	client := e.HTTPClient("test", "us-east-1")
	data, err := seed.Of(products)
	load(client, data, err)
	data, err = seed.ReadFS(files, ".")
	load(client, data, err)

	var text strings.Builder
	for _, table := range []string{"products", "users"} {
		if err := e.Dump(&text, "test", "us-east-1", table); err != nil {
			panic(err)
		}
	}
	fmt.Print(text.String())

	dir, err := os.MkdirTemp("", "seed")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := seed.Dump(client, dir); err != nil {
		panic(err)
	}
	written, err := os.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, file := range written {
		fmt.Println(file.Name())
	}
	// Output:
	// id: "p1"
	// version: 1
	//   kind: "book"
	//   tags: <<"new", "used">>
	// id: "42"
	//   name: "Ada"
	// products.items.json
	// products.json
	// users.items.json
	// users.json
}
