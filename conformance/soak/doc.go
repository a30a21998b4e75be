// Package soak loads a server with everything at once, at full speed, while
// connections are dropped in the middle of requests and of answers. What is in the
// tables must be what was written, and once the tables are deleted memory must be
// what it was before. A process is loaded as well while nobody reads its log. The
// test is a few rounds long, or as long as KUGIRI_SOAK says:
//
//	KUGIRI_SOAK=5m go test -count=1 -v ./conformance/soak
package soak
