package admin

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// costInput says how recorded requests are priced. All members are optional.
type costInput struct {
	// the seconds that the requests stand for; nil: since the recording began
	Seconds  *float64          `json:"seconds,omitempty"`
	Prices   json.RawMessage   `json:"prices,omitempty"` // nil: list prices
	Patterns []traffic.Pattern `json:"patterns,omitempty"`
}

// Limits of costInput. A year and more of traffic has no use, but a range that a Duration has.
const (
	maxSeconds  = 1e9
	maxPatterns = traffic.MaxRows
)

func (s *recorded) showCost(*http.Request) (int, any, error) { return s.cost(&costInput{}) }

func (s *recorded) calculateCost(r *http.Request) (int, any, error) {
	var in costInput
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	return s.cost(&in)
}

// cost answers with what the recorded requests cost.
func (s *recorded) cost(in *costInput) (int, any, error) {
	recording := s.now()
	if recording == nil {
		return failed(
			notFound("no requests are recorded: POST to %straffic records them from then on",
				Prefix))
	}
	o, err := in.options()
	if err != nil {
		return failed(err)
	}
	if in.Seconds == nil {
		o.Span = s.of.Now().Sub(recording.since)
	}
	o.Tables, o.BackupBytes = s.of.Inspect().TableSizes(), s.of.Inspect().BackupBytes()
	o.SavedReads = recording.savedSince(s.of)
	cost, err := recording.recorder.Cost(*o)
	if err != nil {
		return failed(badRequest("%v", err))
	}
	return http.StatusOK, cost, nil
}

func (in *costInput) options() (*traffic.CostOptions, error) {
	o := &traffic.CostOptions{Patterns: in.Patterns}
	if in.Seconds != nil {
		if *in.Seconds > maxSeconds {
			return nil, badRequest("seconds: there are at most %.0f", maxSeconds)
		}
		o.Span = time.Duration(*in.Seconds * float64(time.Second))
	}
	if len(in.Patterns) > maxPatterns {
		return nil, badRequest("patterns: there are at most %d", maxPatterns)
	}
	if in.Prices != nil {
		var err error
		if o.Prices, err = pricing.Parse(in.Prices); err != nil {
			return nil, badRequest("prices: %v", err)
		}
	}
	return o, nil
}
