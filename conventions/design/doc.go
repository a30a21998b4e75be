// Package design designs a table for models and for the patterns in which they are read.
//
// A Design says what is to be stored and read: Models with Attributes, and Patterns. Make plans the
// table. The steps are those of the guide "Designing a DynamoDB table":
//
//  1. models and their relations (prepare.go)
//  2. what each pattern needs: a partition and an order (wants.go)
//  3. primary keys (ways.go)
//  4. indexes, shared between models so that there are as few as possible (search.go)
//  5. attributes of keys, shared between keys so that there are as few as possible (columns.go)
//  6. patterns that other models' items could mix with: attributes are renamed where that is free
//     (draft.go), otherwise a sort key begins with the name of its model (mixing.go)
//
// A Plan has the table, its Indexes, how each model is stored (Entity), how each pattern is read
// (Query), and a Note for each decision with its reason.
//
// # How Make works
//
// A key position is the partition key or the sort key of the table or of an index. A column is an
// attribute of the table that holds one or more key positions.
//
// A preparation makes a problem of the design: a want for each pattern and model, with the keys
// that would serve it. Where, Period and Shards of a pattern add attributes to its models, from
// which keys are made (added.go). Tenants and versions change the keys, and a vector has an index
// of its own (vectors.go).
//
// The searcher finds the best layout: the keys of each model, and their indexes. Patterns over
// several models share partitions there. A layout with its columns is an arrangement, and by a
// route through it a pattern is read (route.go). A separation keeps models apart, a draft writes
// the plan, and an explanation says why the keys are as they are. The planner does these in turn,
// for the two or three arrangements among which only the cost of the whole plan decides (make.go).
//
// Then indexes get their projections (projection.go), and advice says what the steps do not cover
// (beyond.go). A Report says what a plan costs in a month, and what other choices would cost.
//
// Package migrate finds the steps from one plan to another one, and package mutate makes mistakes
// that a proof has to find. The package is pure: the same Design always gives the same Plan.
// Nothing in it needs an emulator.
package design
