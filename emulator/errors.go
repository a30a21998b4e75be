package emulator

import (
	"errors"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// errConflict says that the item belongs to an open transaction.
var errConflict = &apierr.Error{Type: apierr.TransactionConflict, Message: "Transaction is ongoing for the item"}

var errTokenOpen = &apierr.Error{Type: apierr.TransactionInProgress, Message: "Transaction from previous request is still in progress"}

var errOurFault = &apierr.Error{Type: apierr.InternalServerError, Message: "The request processing has failed because of an unknown error, exception or failure."}

// errNoAnswer makes the server close the connection instead of answering.
var errNoAnswer = errors.New("no answer")

// errUnsettled says that an operation must be tried again after settle.
var errUnsettled = errors.New("the writes of other regions have to come first")

// errExpired is the error of an iterator that has expired, which only faults cause.
var errExpired = &apierr.Error{Type: apierr.ExpiredIterator, Message: "Iterator expired"}
