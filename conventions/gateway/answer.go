package gateway

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"hash/crc32"
	"net/http"
	"strconv"
)

// answer is an error answer of the gateway, in DynamoDB's form.
type answer struct {
	status  int
	kind    string // namespace and name of the error
	message string
}

const (
	coralService      = "com.amazon.coral.service#"
	coralAvailability = "com.amazon.coral.availability#"
	coralValidate     = "com.amazon.coral.validate#"
)

// An answer that DynamoDB gives too has DynamoDB's text.
var (
	answerUnknownOperation = answer{http.StatusBadRequest,
		coralService + "UnknownOperationException", ""}
	answerNoSignature = answer{http.StatusBadRequest,
		coralService + "MissingAuthenticationTokenException",
		"Request is missing Authentication Token"}
	answerUnknownKey = answer{http.StatusBadRequest,
		coralService + "UnrecognizedClientException",
		"The security token included in the request is invalid."}
	answerWrongSignature = answer{http.StatusBadRequest,
		coralService + "InvalidSignatureException",
		"The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}
	answerSkewed = answer{http.StatusBadRequest, coralService + "InvalidSignatureException",
		"Signature expired or not yet current: the request was not signed within 15 minutes of the gateway's time."}
	answerUnsigned = answer{http.StatusBadRequest, coralService + "InvalidSignatureException",
		"The headers host and x-amz-target, and x-amz-date, must be signed."}
	answerUnsignedTenant = answer{http.StatusBadRequest, coralService + "InvalidSignatureException",
		"The header with the tenant must be signed."}
	answerNotFound = answer{http.StatusNotFound, coralService + "UnknownOperationException",
		"The gateway passes on what is posted to / without parameters, and nothing else."}
	answerPage = answer{http.StatusForbidden, coralService + "AccessDeniedException",
		"The gateway does not answer pages in browsers."}
	answerCompressed = answer{http.StatusBadRequest, coralValidate + "ValidationException",
		"The gateway does not read compressed requests."}
	answerNotData = answer{http.StatusBadRequest, coralService + "AccessDeniedException",
		"The gateway passes on operations on items only, none that changes tables."}
	answerTooLarge = answer{http.StatusRequestEntityTooLarge,
		coralService + "RequestEntityTooLargeException", ""}
	answerUnread = answer{http.StatusBadRequest, coralService + "SerializationException",
		"The request could not be read to its end."}
	answerUnavailable = answer{http.StatusServiceUnavailable,
		coralAvailability + "ServiceUnavailable",
		"The gateway could not reach the database, or had no answer in time."}
)

// unreadBody returns the answer to a request whose body could not be read.
func unreadBody(err error) *answer {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return &answerTooLarge
	}
	return &answerUnread
}

func refuse(w http.ResponseWriter, a *answer) {
	body, err := json.Marshal(struct {
		Type    string `json:"__type"`
		Message string `json:"message,omitempty"`
	}{a.kind, a.message})
	if err != nil {
		panic(err) // two strings always encode
	}
	send(w, a.status, body)
}

// send writes an answer with DynamoDB's headers.
func send(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/x-amz-json-1.0")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Amzn-Requestid", rand.Text())
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client is gone
}
