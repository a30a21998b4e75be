package apierr

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Cancellation collects the reasons why actions of a transaction fail (API Reference,
// TransactWriteItems, TransactionCanceledException). It uses no memory for a transaction without
// reasons.
type Cancellation struct {
	Actions int
	reasons []cancellationReason // nil, or one element for each action

	// Each keeps the reason of every action with a validation error, as ExecuteTransaction does
	// (service facts A.7). Without it the first such error is the only reason (service facts 5.9).
	Each bool

	// Empty keeps an empty value of a key as the reason of its action. Without it such a value
	// refuses the transaction as a whole, as in TransactWriteItems (service facts 5.1, 5.2, F.28,
	// F.61).
	Empty bool
}

// cancellationReason is the reason of one action. The code is "" for an action that did not fail.
type cancellationReason struct {
	code, message string
	item          item.JSON // the item of a failed condition with ALL_OLD
	policy        bool      // a policy refuses the action, not the service
}

// reasonCodes maps the errors that cancel a transaction because of one action to their codes. All
// other errors refuse the transaction as a whole.
var reasonCodes = map[*Type]string{
	ConditionFailed:     "ConditionalCheckFailed",
	DuplicateItem:       "DuplicateItem",
	Validation:          "ValidationError",
	CollectionTooLarge:  "ItemCollectionSizeLimitExceeded",
	TransactionConflict: "TransactionConflict",
	ThroughputExceeded:  "ProvisionedThroughputExceeded",
	Throttling:          "ThrottlingError",
}

// Add records the error of action i, if any. It returns an error that is not a reason.
func (r *Cancellation) Add(i int, err error) error {
	if err == nil {
		return nil
	}
	e := As(err)
	if e == nil || reasonCodes[e.Type] == "" || e.Whole && !r.Empty {
		return err
	}
	r.Note(i, reasonCodes[e.Type], e)
	return nil
}

// Note records an error of action i as a reason with a code.
func (r *Cancellation) Note(i int, code string, e *Error) {
	if r.reasons == nil {
		r.reasons = make([]cancellationReason, r.Actions)
	}
	r.reasons[i] = cancellationReason{code, e.Message, e.Item, e.Policy}
}

// Any reports whether some action has a reason.
func (r *Cancellation) Any() bool { return r.reasons != nil }

// Failed reports whether action i has a reason.
func (r *Cancellation) Failed(i int) bool { return r.reasons != nil && r.reasons[i].code != "" }

// OnlyInvalid reports whether the validation error of an action is the only reason. If so, it drops
// the others.
func (r *Cancellation) OnlyInvalid() bool {
	if r.Each || r.reasons == nil {
		return false
	}
	first := slices.IndexFunc(r.reasons, func(reason cancellationReason) bool {
		return reason.code == reasonCodes[Validation] && !reason.policy
	})
	if first < 0 {
		return false
	}
	for i := range r.reasons {
		if i != first {
			r.reasons[i] = cancellationReason{}
		}
	}
	return true
}

// Canceled returns the error of the transaction, or nil if there are no reasons.
func (r *Cancellation) Canceled() error {
	if r.reasons == nil {
		return nil
	}
	codes := make([]string, len(r.reasons))
	for i := range r.reasons {
		codes[i] = r.reasons[i].shown()
	}
	return &Error{
		Type: TransactionCanceled,
		Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
			strings.Join(codes, ", ") + "]",
		reasons: r.reasons,
	}
}

// shown returns the code, or "None" if the action did not fail.
func (r *cancellationReason) shown() string {
	if r.code == "" {
		return "None"
	}
	return r.code
}

// appendReasons appends the list of reasons to an answer.
func appendReasons(dst []byte, reasons []cancellationReason) []byte {
	dst = append(dst, '[')
	for i := range reasons {
		r := &reasons[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"Code":"`...)
		dst = append(dst, r.shown()...)
		dst = append(dst, '"')
		if r.item != "" {
			dst = append(dst, `,"Item":`...)
			dst = append(dst, r.item...)
		}
		if r.message != "" {
			dst = append(dst, `,"Message":`...)
			dst = jsontext.AppendQuoted(dst, r.message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// ConditionFailedMessage is the message of ConditionFailed.
const ConditionFailedMessage = "The conditional request failed"
