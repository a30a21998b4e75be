package judgement

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Layer is a part of the judgement of a request, which one part of the service makes.
type Layer string

// The layers.
const (
	Reader      Layer = "reader"      // the reader of JSON
	Members     Layer = "members"     // the model's rules, and what counts so (service facts F.17)
	Joins       Layer = "joins"       // which parameters go together
	Items       Layer = "items"       // names and values of items, keys and vectors
	Values      Layer = "values"      // those of expressions, and parameters of statements
	Expressions Layer = "expressions" // texts, also of statements, and legacy conditions
	Tables      Layer = "table"       // whether it is there; keys, items and indexes follow
)

// Layers are all layers, in the order that most operations have.
var Layers = []Layer{Reader, Members, Joins, Items, Values, Expressions, Tables}

// Generation is that of the layers of an operation (service facts 0.2).
type Generation string

// The generations.
const (
	Old       Generation = "old"
	Bare      Generation = "new, bare"
	Enveloped Generation = "new, in the envelope"
	PartiQL   Generation = "PartiQL"
	Strict    Generation = "newest, strict" // the reader is strict: service facts V.4.1
)

// forms say how a generation words its faults.
var forms = map[Generation]apierr.Form{
	Old: apierr.OldForm, PartiQL: apierr.OldForm, Bare: apierr.BareForm, Strict: apierr.BareForm,
	Enveloped: apierr.EnvelopedForm,
}

// Row is how an operation judges.
type Row struct {
	Operation  string
	Generation Generation
	Members    apierr.Report // which faults of members it reports
	Order      []Layer       // the layers that find faults in its requests
	Facts      string        // the facts that say so, by their numbers in conformance/facts
}

// Form returns how the operation words its faults.
func (r *Row) Form() apierr.Form { return forms[r.Generation] }

// itemsFirst is the order of operations whose items, keys and start keys come before expressions.
var itemsFirst = []Layer{Reader, Members, Joins, Items, Values, Expressions, Tables}

// rows are the operations on items. The irregularities within layers are in the page of facts.
var rows = []Row{
	{"GetItem", Bare, apierr.ReportAll,
		[]Layer{Reader, Members, Joins, Items, Expressions, Tables}, "F.8"},
	{"PutItem", Enveloped, apierr.ReportAll, itemsFirst, "F.17, F.20"},
	{"UpdateItem", Enveloped, apierr.ReportUpdate, itemsFirst, "F.8, F.16, F.20"},
	{"DeleteItem", Enveloped, apierr.ReportAll, itemsFirst, "F.8, F.17, F.20"},
	{"Query", Bare, apierr.ReportAll, itemsFirst, "12.3, 12.4"},
	{"Scan", Old, apierr.ReportAll, itemsFirst, "12.3"},
	{"BatchGetItem", Bare, apierr.ReportAll,
		[]Layer{Reader, Members, Joins, Items, Expressions, Tables}, "4.8, F.8"},
	{"BatchWriteItem", Old, apierr.ReportItemsLast,
		[]Layer{Reader, Members, Items, Tables}, "4.6, F.8"},
	{"TransactGetItems", Old, apierr.ReportActions,
		[]Layer{Reader, Members, Items, Expressions, Tables}, "F.8, F.25"},
	{"TransactWriteItems", Old, apierr.ReportActions,
		[]Layer{Reader, Members, Values, Expressions, Items, Tables}, "5.3, F.25, F.29"},
	{"ExecuteStatement", PartiQL, apierr.ReportAll,
		[]Layer{Reader, Members, Values, Expressions, Tables}, "A.14, F.43, F.59"},
	{"SearchVectors", Strict, apierr.ReportSearch,
		[]Layer{Reader, Members, Items, Values, Joins, Expressions, Tables}, "F.71 to F.76"},
}

// reports are the operations without a row whose reports of members are not those of all others.
var reports = map[apierr.Report][]string{
	apierr.ReportTable: {"CreateTable", "DeleteTable", "DescribeTable", "DescribeTimeToLive",
		"UpdateTable", "UpdateTimeToLive"},
	apierr.ReportLengths: {"CreateGlobalTable", "DescribeContributorInsights",
		"DescribeGlobalTable", "DescribeGlobalTableSettings", "RestoreTableFromBackup",
		"UpdateContributorInsights", "UpdateGlobalTable", "UpdateGlobalTableSettings"},
}

// Of returns how an operation judges. An operation without a row is of the old generation, and its
// checks have no layers.
func Of(operation string) Row {
	for i := range rows {
		if rows[i].Operation == operation {
			return rows[i]
		}
	}
	row := Row{Operation: operation, Generation: Old}
	for report, names := range reports {
		if slices.Contains(names, operation) {
			row.Members = report
		}
	}
	return row
}

// Place returns the place of a layer in the order of the operation, from 0. ok is false if the
// operation has no such layer.
func (r *Row) Place(l Layer) (at int, ok bool) {
	at = slices.Index(r.Order, l)
	return at, at >= 0
}
