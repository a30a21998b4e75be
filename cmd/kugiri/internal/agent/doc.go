// Package agent offers an endpoint to agents as tools of the Model Context Protocol: tables, items,
// plans of requests, forks, snapshots, the clock, faults, policies and designs.
//
// Attribute values are DynamoDB's JSON, as in {"S": "text"} or {"N": "1"}, so that numbers are
// exact. Answers are JSON or Markdown. One that is larger than 64 KB is an error that says how
// to ask for less.
package agent
