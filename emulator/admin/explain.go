package admin

import (
	"encoding/json"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// explainInput is a request to explain another one.
type explainInput struct {
	AccessKey string            `json:"accessKey"`
	Region    string            `json:"region"`
	Operation string            `json:"operation"`
	Request   json.RawMessage   `json:"request"`
	Headers   map[string]string `json:"headers,omitempty"`
}

// explain answers with the plan of a request.
func explain(e *emulator.Emulator, r *http.Request) (int, any, error) {
	var in explainInput
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	if in.Request == nil {
		return failed(badRequest(`there is no "request"`))
	}
	headers := http.Header{}
	for name, value := range in.Headers {
		headers.Set(name, value)
	}
	plan, err := traffic.ExplainRequest(e, &traffic.Request{
		AccessKey: in.AccessKey, Region: in.Region, Operation: in.Operation, Header: headers,
		Body: in.Request,
	})
	if err != nil {
		return failed(badRequest("%v", err))
	}
	return http.StatusOK, plan, nil
}
