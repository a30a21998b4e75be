package conventions_test

import (
	"fmt"
	"log"

	"github.com/kugiri-db/kugiri/conventions"
)

// orderKeys declares the keys of orders and their items, which are read together.
var orderKeys = conventions.Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}

// printKeys prints the keys of what an application stores.
func printKeys(keys conventions.Keys, err error) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(keys.PK, keys.SK)
}

// An application declares an entity once, and builds, queries and parses its keys by it.
func Example_shop() {
	const tenant, order = "tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	printKeys(orderKeys.BuildParent(tenant, order))
	printKeys(orderKeys.BuildChild(tenant, "ORDER_ITEM", order, "1"))

	prefix, err := orderKeys.ChildrenPrefix("ORDER_ITEM", order)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("items of the order: begins_with(sk,", prefix+")")

	parsed, err := orderKeys.Parse("ORDER#tenant001", "ORDER_ITEM#"+order+"#1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tenant", parsed.Tenant)

	_, err = orderKeys.BuildParent("tenant#001", order)
	fmt.Println(err)
	// Output:
	// ORDER#tenant001 ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M
	// ORDER#tenant001 ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#1
	// items of the order: begins_with(sk, ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#)
	// tenant tenant001
	// conventions: tenant "tenant#001" contains "#", which separates segments
}
