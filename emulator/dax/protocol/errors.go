package protocol

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Error is an error as clients read it: numbers that name it from the general to the particular, a
// text, and what DynamoDB answered.
type Error struct {
	Codes   []int64
	Message string
	// those of DynamoDB's answer; "" and 0 for an error of the accelerator's own
	RequestID, Name string
	Status          int
	reasons         []reason // the reasons of a transaction
}

func (e *Error) Error() string { return e.Name + ": " + e.Message }

// reason is why an item of a transaction was refused.
type reason struct {
	code, message string
	given         bool // whether there is a message
	item          *attributes
}

// The first number says whose error it is, and whether trying again helps.
const (
	serverFault = 3
	clientFault = 4
)

// codes of DynamoDB's errors, behind 37 and 38, which say that DynamoDB answered.
var codes = map[string][]int64{
	"ProvisionedThroughputExceededException":   {39, 40},
	"ResourceNotFoundException":                {39, 41},
	"AccessDeniedException":                    {42},
	"ConditionalCheckFailedException":          {39, 43},
	"NotImplementedException":                  {44},
	"ResourceInUseException":                   {39, 45},
	"ValidationException":                      {39, 46},
	"InternalServerError":                      {39, 47},
	"ItemCollectionSizeLimitExceededException": {39, 48},
	"LimitExceededException":                   {39, 49},
	"ThrottlingException":                      {39, 50},
	"TransactionConflictException":             {39, 57},
	"TransactionCanceledException":             {39, 58},
	"TransactionInProgressException":           {39, 59},
	"IdempotentParameterMismatchException":     {39, 60},
	"RequestLimitExceeded":                     {39, 61},
}

// NewError makes an error as DynamoDB would answer it. Names that clients have no numbers for get
// those of a validation error if the client is at fault, and of an internal error else: the name
// itself comes with them.
func NewError(name, message string, status int) *Error {
	tail, ok := codes[name]
	first := int64(clientFault)
	switch {
	case ok:
	case status < 500:
		tail = codes["ValidationException"]
	default:
		tail = codes["InternalServerError"]
	}
	return &Error{Codes: append([]int64{first, 37, 38}, tail...), Message: message, Name: name,
		Status: status}
}

// Unauthorized makes the error of a connection that is not authorized. tryAgain says whether the
// client may authorize it again.
func Unauthorized(name, message string, tryAgain bool) *Error {
	last := int64(32)
	if tryAgain {
		last = 33
	}
	return &Error{Codes: []int64{clientFault, 23, 31, last}, Message: message, Name: name,
		Status: 400}
}

// Internal makes the error of an answer that could not be made.
func Internal(message string) *Error {
	return &Error{Codes: []int64{serverFault, 37, 54}, Message: message,
		Name: "InternalServerError", Status: 500}
}

// ReadError reads an error of the service from its JSON.
func ReadError(body string, status int, requestID string) *Error {
	var name, message string
	var reasons []reason
	s := jsontext.NewScanner(body)
	err := members(&s, func(member string) (err error) {
		switch strings.ToLower(member) {
		case "__type":
			name, err = readString(&s)
			name = name[strings.LastIndexByte(name, '#')+1:]
		case "message":
			message, err = readString(&s)
		case "cancellationreasons":
			err = elements(&s, func() error {
				r, err := readReason(&s)
				reasons = append(reasons, r)
				return err
			})
		default:
			_, err = rawValue(&s)
		}
		return err
	})
	if err != nil || name == "" {
		return Internal("the service answered with an error in another form")
	}
	e := NewError(name, message, status)
	e.RequestID, e.reasons = requestID, reasons
	return e
}

func readReason(s *jsontext.Scanner) (r reason, err error) {
	err = members(s, func(name string) (err error) {
		switch name {
		case "Code":
			r.code, err = readString(s)
		case "Message":
			r.given = true
			r.message, err = readString(s)
		case "Item":
			r.item, err = readItem(s)
		default:
			_, err = rawValue(s)
		}
		return err
	})
	return r, err
}

// Encode appends the error as the answer to a request, nil for one that calls no operation.
func (e *Error) Encode(dst []byte, q *Request, lists Lists) []byte {
	dst = cbor.AppendHead(dst, cbor.Array, uint64(len(e.Codes)))
	for _, c := range e.Codes {
		dst = cbor.AppendInt(dst, c)
	}
	dst = cbor.AppendText(dst, e.Message)
	if e.Status == 0 {
		return append(dst, cbor.Null)
	}
	parts := uint64(3)
	if len(e.reasons) > 0 {
		parts++
	}
	dst = cbor.AppendHead(dst, cbor.Array, parts)
	dst = appendOptional(dst, e.RequestID)
	dst = appendOptional(dst, e.Name)
	dst = cbor.AppendInt(dst, int64(e.Status))
	if len(e.reasons) > 0 {
		dst = cbor.AppendHead(dst, cbor.Array, uint64(3*len(e.reasons)))
		for i := range e.reasons {
			dst = e.reasons[i].append(dst, q, i, lists)
		}
	}
	return dst
}

func appendOptional(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, cbor.Null)
	}
	return cbor.AppendText(dst, text)
}

func (r *reason) append(dst []byte, q *Request, i int, lists Lists) []byte {
	dst = appendOptional(dst, r.code)
	if r.given {
		dst = cbor.AppendText(dst, r.message)
	} else {
		dst = append(dst, cbor.Null)
	}
	if r.item != nil && q != nil && i < len(q.Entries) {
		if with, err := appendItem(dst, r.item, q.Entries[i].Schema, lists); err == nil {
			return with
		}
	}
	return append(dst, cbor.Null)
}
