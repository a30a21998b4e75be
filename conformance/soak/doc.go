// Package soak loads a server with all operations at once, at full speed, and drops connections in
// the middle of requests and answers. The tables must then have exactly the written items. After
// deleting the tables, the server must use no more memory than before. The package also loads a
// process while nobody reads its log, and one with DAX, explorations, designs, bulk puts and forks
// at once, which must have as many goroutines and descriptors afterwards. The tests run a few
// rounds, or as long as KUGIRI_SOAK says:
//
//	KUGIRI_SOAK=5m go test -count=1 -v ./conformance/soak
package soak
