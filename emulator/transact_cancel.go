package emulator

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// errSameItem and errTransactionSize are what is wrong with a transaction as a whole.
var errSameItem = invalid("Transaction request cannot include multiple operations on one item")

func errTransactionSize(most int) error {
	return invalid("Aggregated size of the items in the transaction exceeds the limit of %d bytes", most)
}

// errPayloadSize is about what a transaction sends (service facts 5.8). The text is unconfirmed.
func errPayloadSize(most int) error {
	return invalid("Transaction payload size cannot exceed %d bytes", most)
}

// cancellation gathers the reasons why actions of a transaction cannot be done
// (API Reference, TransactWriteItems, TransactionCanceledException). No memory is
// used for those that can.
type cancellation struct {
	actions int
	reasons []cancellationReason // nil or one of each action

	// each has every action with a validation error keep its reason, as ExecuteTransaction does
	// (service facts A.7). Else the first of them is the only reason (service facts 5.9).
	each bool
}

// cancellationReason is of one action; without a code it is none.
type cancellationReason struct {
	code, message string
	item          item.JSON // of a failed condition with ALL_OLD
	policy        bool      // a policy refuses, not the service
}

// reasonCodes are the errors that cancel a transaction because of one of its
// actions; all others refuse it as a whole.
var reasonCodes = map[*errorType]string{
	errConditionFailed:  "ConditionalCheckFailed",
	errDuplicateItem:    "DuplicateItem",
	errValidation:       "ValidationError",
	errCollectionTooBig: "ItemCollectionSizeLimitExceeded",
	errTxConflict:       "TransactionConflict",
	errThroughput:       "ProvisionedThroughputExceeded",
	errThrottling:       "ThrottlingError",
}

// add notes the error of action i, nil for none. It returns errors that are no reason.
func (r *cancellation) add(i int, err error) error {
	if err == nil {
		return nil
	}
	e := asAPIError(err)
	if e == nil || reasonCodes[e.typ] == "" || e.whole {
		return err
	}
	r.note(i, reasonCodes[e.typ], e)
	return nil
}

// note notes an error of action i as a reason with a code.
func (r *cancellation) note(i int, code string, e *apiError) {
	if r.reasons == nil {
		r.reasons = make([]cancellationReason, r.actions)
	}
	r.reasons[i] = cancellationReason{code, e.message, e.item, e.policy}
}

// failed reports whether action i has a reason.
func (r *cancellation) failed(i int) bool { return r.reasons != nil && r.reasons[i].code != "" }

// invalid reports whether an action has a validation error that is to be the only reason. If
// so, it drops the others.
func (r *cancellation) invalid() bool {
	if r.each || r.reasons == nil {
		return false
	}
	first := slices.IndexFunc(r.reasons, func(reason cancellationReason) bool {
		return reason.code == reasonCodes[errValidation] && !reason.policy
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

// canceled is the error of the transaction, nil if there is no reason.
func (r *cancellation) canceled() error {
	if r.reasons == nil {
		return nil
	}
	codes := make([]string, len(r.reasons))
	for i := range r.reasons {
		codes[i] = r.reasons[i].shown()
	}
	return &apiError{
		typ:     errTxCanceled,
		message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]",
		reasons: r.reasons,
	}
}

// shown is the code, "None" if there is none.
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
