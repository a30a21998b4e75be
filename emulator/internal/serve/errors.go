package serve

import (
	"errors"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// ErrConflict says that the item belongs to an open transaction.
var ErrConflict = &apierr.Error{
	Type: apierr.TransactionConflict, Message: "Transaction is ongoing for the item",
}

var ErrTokenOpen = &apierr.Error{
	Type:    apierr.TransactionInProgress,
	Message: "Transaction from previous request is still in progress",
}

var ErrOurFault = &apierr.Error{
	Type:    apierr.InternalServerError,
	Message: "The request processing has failed because of an unknown error, exception or failure.",
}

// ErrNoAnswer makes the server close the connection instead of answering.
var ErrNoAnswer = errors.New("no answer")

// ErrUnsettled says that an operation must be tried again after settle.
var ErrUnsettled = errors.New("the writes of other regions have to come first")

// ErrExpired is the error of an iterator that has expired, which only faults cause.
var ErrExpired = &apierr.Error{Type: apierr.ExpiredIterator, Message: "Iterator expired"}
