package verdict

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// The names of the DynamoDB errors that refuse a request.
const (
	ValidationException             = "ValidationException"
	ConditionalCheckFailedException = "ConditionalCheckFailedException"
	TransactionCanceledException    = "TransactionCanceledException"
)

// The codes of a transaction's reasons (API Reference, "TransactWriteItems", Errors).
const (
	reasonNone            = "None"
	reasonValidation      = "ValidationError"
	reasonConditionFailed = "ConditionalCheckFailed"
)

var namespaces = map[string]string{
	ValidationException:             "com.amazon.coral.validate",
	ConditionalCheckFailedException: "com.amazonaws.dynamodb.v20120810",
	TransactionCanceledException:    "com.amazonaws.dynamodb.v20120810",
}

// Refusal is the error that answers a request that is not sent.
type Refusal struct {
	Type    string
	Message string
	Reasons []Reason // the reasons of a TransactionCanceledException, one for each action
}

// Reason says why an action of a transaction failed.
type Reason struct {
	Code    string
	Message string `json:",omitempty"`
}

// refuse makes an error from the enforced findings. It returns nil without enforced findings. Any
// request but a transaction fails as a whole.
func refuse(r *request.Request, findings []policy.Finding) *Refusal {
	enforced := policy.Enforced(findings)
	if len(enforced) == 0 {
		return nil
	}
	if n := actions(r); n > 0 {
		return cancel(n, enforced)
	}
	worst := policy.Worst(enforced)
	if worst.Conflict {
		return &Refusal{Type: ConditionalCheckFailedException, Message: worst.Error()}
	}
	return &Refusal{Type: ValidationException, Message: worst.Error()}
}

// actions returns the number of actions of a transaction, or 0 for other requests.
func actions(r *request.Request) (n int) {
	if !r.Transaction && r.Operation != "TransactGetItems" {
		return 0
	}
	for i := range r.Reads {
		n = max(n, r.Reads[i].Action+1)
	}
	for i := range r.Writes {
		n = max(n, r.Writes[i].Action+1)
	}
	return n
}

// cancel returns the error of a cancelled transaction of n actions.
func cancel(n int, enforced []policy.Finding) *Refusal {
	reasons := make([]Reason, n)
	codes := make([]string, n)
	for i := range reasons {
		reasons[i].Code = reasonNone
		var own []policy.Finding
		for _, f := range enforced {
			if f.Action == i {
				own = append(own, f)
			}
		}
		if worst := policy.Worst(own); worst != nil {
			reasons[i] = Reason{reasonValidation, worst.Error()}
			if worst.Conflict {
				reasons[i].Code = reasonConditionFailed
			}
		}
		codes[i] = reasons[i].Code
	}
	return &Refusal{
		Type: TransactionCanceledException,
		Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
			strings.Join(codes, ", ") + "]",
		Reasons: reasons,
	}
}

// JSON returns the body of the answer. As in the service, the member is "Message" for a cancelled
// transaction and "message" for other errors.
func (r *Refusal) JSON() []byte {
	type answer struct {
		Type    string   `json:"__type"`
		Reasons []Reason `json:"CancellationReasons,omitempty"`
		Message string   `json:"Message,omitempty"`
		Lower   string   `json:"message,omitempty"`
	}
	a := answer{Type: namespaces[r.Type] + "#" + r.Type, Reasons: r.Reasons, Lower: r.Message}
	if r.Type == TransactionCanceledException {
		a.Message, a.Lower = r.Message, ""
	}
	return encode(a)
}

// encode encodes v as JSON without escaping HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // v holds strings, and JSON that was decoded before
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
