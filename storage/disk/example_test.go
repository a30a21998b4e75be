package disk_test

import (
	"fmt"
	"os"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// open returns a service with the data of a directory. What a client is told of is on the disk.
func open(dir string) *emulator.Emulator {
	db, err := disk.Open(dir, disk.Options{Sync: disk.Strict})
	if err != nil {
		panic(err)
	}
	e, err := emulator.Open(db)
	if err != nil {
		panic(err)
	}
	return e
}

// A service keeps its tables in a directory. The next one that opens the directory has them.
func Example() {
	dir, err := os.MkdirTemp("", "kugiri")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	e := open(dir)
	data, err := seed.Of(seed.Table{
		Name:         "users",
		PartitionKey: seed.Attribute{Name: "id", Type: "S"},
		Items:        []seed.Item{{"id": "42", "name": "Ada"}},
	})
	if err != nil {
		panic(err)
	}
	if err := data.Load(e.HTTPClient("test", "us-east-1")); err != nil {
		panic(err)
	}
	if err := e.Close(); err != nil {
		panic(err)
	}

	e = open(dir)
	defer e.Close()
	if err := e.Dump(os.Stdout, "test", "us-east-1", "users"); err != nil {
		panic(err)
	}
	fmt.Println(e.Inspect().CountTables())
	// Output:
	// id: "42"
	//   name: "Ada"
	// 1 0
}
