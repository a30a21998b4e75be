package servecmd

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// localStackHealth is the path at which scripts for LocalStack wait until a service runs.
const localStackHealth = "/_localstack/health"

// noAdmin is the answer of a server without the admin API to its requests.
const noAdmin = "the admin API is off: start the server with --admin (kugiri serve --admin)"

// otherPaths returns options that answer what people ask who do not know this server: the admin API
// that is off, and the health of LocalStack.
func (s *serveSettings) otherPaths() []emulator.Option {
	health := http.HandlerFunc(answerLocalStackHealth)
	opts := []emulator.Option{emulator.WithRoute(localStackHealth,
		func(*emulator.Emulator) http.Handler { return health })}
	if s.admin.serves() {
		return opts
	}
	off := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		json.NewEncoder(w).Encode(map[string]string{"error": noAdmin})
	})
	return append(opts, emulator.WithRoute(strings.TrimSuffix(admin.Prefix, "/"),
		func(*emulator.Emulator) http.Handler { return off }))
}

// answerLocalStackHealth says which services run, with the spaces that scripts search for.
func answerLocalStackHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"services": {"dynamodb": "running", "dynamodbstreams": "running"}, `+
		`"edition": "kugiri", "version": %q}`+"\n", version.This().Version)
}
