package servecmd

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
	"github.com/kugiri-db/kugiri/emulator"
)

// Tools that start DynamoDB Local wait until GET / answers 400, or until it has printed its
// settings.

// noToken is the answer of DynamoDB Local 2.6.1 to GET /, with its capital M.
const noToken = `{"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",` +
	`"Message":"Request must contain either a valid (registered) AWS access key ID or X.509 certificate."}`

// NoConsole is answered where versions 1 of DynamoDB Local had the JavaScript shell.
const NoConsole = `There is a console at /_kugiri/console/ with --console. Without it:
  kugiri tables                    lists the tables, with --endpoint for this address
  kugiri export --table NAME       prints the items of a table
  aws dynamodb ... --endpoint-url  does all else
NoSQL Workbench connects to this address as to DynamoDB Local.
`

// localAnswers has the server answer as DynamoDB Local does where it differs from the service.
func localAnswers() []emulator.Option {
	health := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, noToken)
	})
	console := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, strings.TrimSuffix(NoConsole, "\n"), http.StatusNotFound)
	})
	return []emulator.Option{
		emulator.WithHealth(health),
		emulator.WithRoute("/shell", func(*emulator.Emulator) http.Handler { return console }),
	}
}

// localBanner returns the lines that DynamoDB Local prints at its start, with the settings of a
// server at an address.
func (s *serveSettings) localBanner(address string) string {
	port := ""
	if u, err := url.Parse(address); err == nil {
		port = u.Port()
	}
	orNull := func(text string) string {
		if text == "" {
			return "null"
		}
		return text
	}
	cors := ""
	if s.corsGiven {
		cors = strings.Join(s.cors, ",")
	}
	return fmt.Sprintf("Initializing DynamoDB Local with the following configuration:\n"+
		"Port:\t%s\nInMemory:\t%t\nVersion:\t%s\nDbPath:\t%s\nSharedDb:\t%t\nshouldDelayTransientStatuses:\t%t\nCorsParams:\t%s\n",
		port, s.data.Dir == "", version.This().Version, orNull(s.data.Dir), s.shared,
		s.tableDelay > 0, orNull(cors))
}
