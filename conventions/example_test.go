package conventions_test

import (
	"crypto/rand"
	"fmt"
	"log"
	"time"

	"github.com/kugiri-db/kugiri/conventions"
)

func show(k conventions.Keys, err error) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("PK:", k.PK)
	fmt.Println("SK:", k.SK)
}

// The guide's "Generating keys" and "Version management".
func Example() {
	keys, err := conventions.EntityID("PRODUCT", "tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(keys.ID)

	third, err := keys.AtVersion(3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(third.SK)
	fmt.Println(conventions.RemoveVersion(third.SK), conventions.Version(third.SK),
		conventions.Version(keys.SK))
	// Output:
	// PRODUCT#tenant001#01HX7MBJK3V9WQBZ7XNDK5ZT2M
	// 01HX7MBJK3V9WQBZ7XNDK5ZT2M@3
	// 01HX7MBJK3V9WQBZ7XNDK5ZT2M 3 -1
}

func ExampleTenant() {
	fmt.Println(conventions.Tenant("PRODUCT#tenant001"))
	fmt.Println(conventions.Tenant("LOG#tenant001#2024-01"))
	fmt.Println(conventions.Tenant("PRODUCT"))
	// Output:
	// tenant001 true
	// tenant001 true
	//  false
}

func ExampleULIDs() {
	ulids := conventions.NewULIDs(time.Now, rand.Reader)
	first, err := ulids.Next()
	if err != nil {
		log.Fatal(err)
	}
	second, err := ulids.Next()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(first), first < second)
	// Output: 26 true
}

// Pattern 1: a product catalogue.
func ExampleSimple() {
	products := conventions.Simple{Prefix: "PRODUCT"}
	show(products.Build("tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M"))
	// Output:
	// PK: PRODUCT#tenant001
	// SK: 01HX7MBJK3V9WQBZ7XNDK5ZT2M
}

// Pattern 2: an order with items.
func ExampleHierarchical() {
	orders := conventions.Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}
	show(orders.BuildParent("tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M"))
	show(orders.BuildChild("tenant001", "ORDER_ITEM", "01HX7MBJK3V9WQBZ7XNDK5ZT2M", "001"))

	key, err := orders.Parse("ORDER#tenant001", "ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#002")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.Type, key.ParentID, key.ChildID)
	// Output:
	// PK: ORDER#tenant001
	// SK: ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M
	// PK: ORDER#tenant001
	// SK: ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001
	// ORDER_ITEM 01HX7MBJK3V9WQBZ7XNDK5ZT2M 002
}

// Pattern 3: a user who signs in in several ways.
func ExampleVariant() {
	users := conventions.Variant{
		Prefix: "USER", Variants: []string{"local", "sso", "oauth", "temp", "profile"},
	}
	show(users.Build(conventions.TenantCommon, "sso", "abc123def456"))

	_, err := users.Build(conventions.TenantCommon, "saml", "abc123def456")
	fmt.Println(err)
	// Output:
	// PK: USER#common
	// SK: sso#abc123def456
	// conventions: variant "saml" is not declared
}

// Pattern 4: a user of several organisations.
func ExampleTenantAssociation() {
	members := conventions.TenantAssociation{Prefix: "USER_TENANT"}
	show(members.Build("tenant001", "user123"))
	show(members.Build("tenant002", "user123"))
	// Output:
	// PK: USER_TENANT#common
	// SK: tenant001#user123
	// PK: USER_TENANT#common
	// SK: tenant002#user123
}

// Pattern 5: settings and configuration.
func ExampleMasterData() {
	var masters conventions.MasterData
	show(masters.Build("tenant001", conventions.MasterSetting, "notification", "email_template"))
	show(masters.Build("tenant001", conventions.MasterItem, "product_category", "electronics"))
	// Output:
	// PK: MASTER#tenant001
	// SK: SETTING#notification#email_template
	// PK: MASTER#tenant001
	// SK: DATA#product_category#electronics
}

// Pattern 6: activity logs and audit trails. Reading a time range takes a query for each month.
func ExampleTimeSeries() {
	logs := conventions.TimeSeries{Prefix: "LOG", Seconds: true}
	at := time.Date(2024, time.January, 15, 10, 30, 0, 0, time.UTC)
	show(logs.Build("tenant001", at, "evt001"))

	ranges, err := logs.Between("tenant001", at, at.AddDate(0, 1, 0))
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range ranges {
		fmt.Println(r.PK, "BETWEEN", r.From, "AND", r.To)
	}
	// Output:
	// PK: LOG#tenant001#2024-01
	// SK: 2024-01-15T10:30:00Z#evt001
	// LOG#tenant001#2024-01 BETWEEN 2024-01-15T10:30:00Z AND 2024-02-15T10:30:00Z$
	// LOG#tenant001#2024-02 BETWEEN 2024-01-15T10:30:00Z AND 2024-02-15T10:30:00Z$
}

func ExampleRecommend() {
	r, err := conventions.Recommend(conventions.Answers{
		conventions.QuestionData:     conventions.DataParentChild,
		conventions.QuestionChildren: conventions.AnswerNo,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(r)
	// Output:
	// Pattern: hierarchy (shared partition key) (hierarchical)
	// PK:      PARENT#tenantCode
	// SK:      TYPE#parentId[#childId]
	// Advice:  Parent and children share the partition key, so that one query reads them.
	// See:     Key design patterns, "Pattern 2: hierarchical entities"
	//
	// Examples:
	//   PK ORDER#tenant001
	//   SK ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M
	//   ID ORDER#tenant001#ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M
	//   PK ORDER#tenant001
	//   SK ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001
	//   ID ORDER#tenant001#ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#001
	//   PK ORDER#tenant001
	//   SK ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#002
	//   ID ORDER#tenant001#ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#002
}
