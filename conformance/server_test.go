package conformance

import (
	"log"

	"github.com/kugiri-db/kugiri/emulator"
)

// startServer starts the server that is tested when no other is named.
func startServer() (url string, stop func()) {
	server, err := emulator.New().Start("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	return server.URL, func() {
		if err := server.Close(); err != nil {
			log.Print(err)
		}
	}
}
