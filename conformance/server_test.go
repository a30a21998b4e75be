package conformance

import (
	"flag"
	"fmt"
	"log"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

var unitsFlag = flag.Bool("units", false,
	"print the capacity units that the suite's own server was asked for")

// startServer starts the server under test if no endpoint is given.
func startServer() (url string, stop func()) {
	e := emulator.New()
	target.emulator = e
	recorder := traffic.NewRecorder()
	if *unitsFlag {
		e.Observe(recorder.Observe)
	}
	server, err := e.Start("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	return server.URL, func() {
		if err := server.Close(); err != nil {
			log.Print(err)
		}
		if *unitsFlag {
			report := recorder.Report()
			fmt.Printf("units: %.0f read, %.0f written\n", report.ReadUnits, report.WriteUnits)
		}
	}
}
