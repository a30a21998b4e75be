package emulatortest

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// Explain returns the plan of the one request that send sends by a client: how it reaches items,
// what it costs, and why. The server stays as it is, and no recording sees the request. A request
// that is refused has a plan, too. The test fails if send does not send exactly one request.
func (s *Server) Explain(t TB, send func(client *dynamodb.Client) error) *traffic.Plan {
	t.Helper()
	var sent error
	plan, err := traffic.Explain(s.Emulator, func(rehearsal *emulator.Emulator) {
		sent = send(
			s.options.newClient(rehearsal.HTTPClient(s.options.accessKey, s.options.region)))
	})
	if err != nil {
		t.Fatalf("emulatortest: %v", errors.Join(err, sent))
	}
	return plan
}
