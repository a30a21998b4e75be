package admin

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

// Limits of the bodies that a recording keeps.
const (
	maxKept   = 16 << 10 // bytes of a body
	maxBodies = 8 << 20  // bytes of all bodies: those of the oldest requests go first
)

// exchangeInfo has the bodies of a request and of its answer, without their headers, which have
// signatures.
type exchangeInfo struct {
	ID      int64  `json:"id"`
	Request string `json:"request"` // the first maxKept bytes
	Answer  string `json:"answer"`  // the first maxKept bytes
	Kept    bool   `json:"kept"`    // false: the bodies had to make room for later ones
	// the answer and the request are not cut
	RequestWhole bool `json:"requestWhole"`
	AnswerWhole  bool `json:"answerWhole"`
}

// bodies keeps the bodies of the latest requests. The zero value is empty.
type bodies struct {
	byID   map[int64]exchangeInfo
	oldest int64 // no request before this one has bodies
	bytes  int
}

// add keeps the bodies of a request, whose id is larger than that of those before.
func (b *bodies) add(id int64, e *emulator.Event) {
	x := e.Exchange()
	kept := exchangeInfo{
		ID: id, Kept: true, Request: bodyOf(x.Request), Answer: bodyOf(string(x.Answer)),
		RequestWhole: len(x.Request) <= maxKept, AnswerWhole: len(x.Answer) <= maxKept,
	}
	if b.byID == nil {
		b.byID, b.oldest = map[int64]exchangeInfo{}, id
	}
	b.byID[id] = kept
	b.bytes += len(kept.Request) + len(kept.Answer)
	for ; b.bytes > maxBodies || id-b.oldest >= maxOperations; b.oldest++ {
		gone := b.byID[b.oldest]
		b.bytes -= len(gone.Request) + len(gone.Answer)
		delete(b.byID, b.oldest)
	}
}

// bodyOf returns a copy of the beginning of a body, which ends with a whole character.
func bodyOf(text string) string {
	end := min(len(text), maxKept)
	for end < len(text) && end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.Clone(strings.ToValidUTF8(text[:end], "\ufffd"))
}

// exchange returns the bodies of a request that is among the latest, and whether it is.
func (l *latest) exchange(id int64) (exchangeInfo, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < 1 || id > l.last || id <= l.last-int64(len(l.ring)) {
		return exchangeInfo{}, false
	}
	if kept, ok := l.bodies.byID[id]; ok {
		return kept, true
	}
	return exchangeInfo{ID: id}, true
}

// exchange returns the bodies of a recorded request.
func (s *recorded) exchange(r *http.Request) (int, any, error) {
	recording := s.now()
	if recording == nil {
		return failed(errNoRecording())
	}
	id, err := strconv.ParseInt(mux.Vars(r)["id"], 10, 64)
	if err != nil {
		return failed(badRequest("an id is a number, not %.100q", mux.Vars(r)["id"]))
	}
	kept, ok := recording.latest.exchange(id)
	if !ok {
		return failed(notFound("the request %d is not among the latest that were recorded", id))
	}
	return http.StatusOK, kept, nil
}
