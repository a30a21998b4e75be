package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/expr/partiql"
)

// RequestInfo says what one call of an operation was and how it was answered.
type RequestInfo struct {
	Time          time.Time     // when its headers were read, on the service's clock
	Duration      time.Duration // until its answer was sent, on the service's clock
	Operation     string        // "" if there is no such operation
	Tables        []string      // names, in the order of the alphabet; none if the operation has none, or they could not be read
	AccessKey     string        // as the request says; empty, like Region, if it does not say so properly
	Region        string
	Remote        string // the client's address and port
	Status        int    // of HTTP
	Error         string // the type of the error, "ValidationException"; "" for none
	RequestID     string
	RequestBytes  int // of the body, as sent
	ResponseBytes int // of the body, before compression
}

// WithRequestLog has log be called after each call of an operation, in the
// goroutine that serves it: requests wait for it. It must be safe for concurrent
// use. It costs a second look at the body; without it, which is the default,
// nothing is done.
func WithRequestLog(log func(RequestInfo)) Option {
	return func(s *settings) { s.requestLog = log }
}

// startLog begins what will be logged of a request, nil if nothing is.
func (e *Emulator) startLog(r *http.Request) *RequestInfo {
	if e.requestLog == nil {
		return nil
	}
	return &RequestInfo{Time: e.clock(), Remote: r.RemoteAddr}
}

// endLog logs a request that was answered.
func (e *Emulator) endLog(i *RequestInfo, w http.ResponseWriter, status, received, sent int) {
	if i == nil {
		return
	}
	i.Duration = e.clock().Sub(i.Time)
	i.RequestID = first(w.Header()["X-Amzn-Requestid"])
	i.Status, i.RequestBytes, i.ResponseBytes = status, received, sent
	e.requestLog(*i)
}

func (i *RequestInfo) names(o *operation) {
	if i != nil {
		i.Operation = o.name
	}
}

func (i *RequestInfo) comesFrom(c credential) {
	if i != nil {
		i.AccessKey, i.Region = strings.Clone(c.accessKey), strings.Clone(c.region)
	}
}

func (i *RequestInfo) failed(kind string) {
	if i != nil {
		i.Error = kind
	}
}

// isFor reads the names of the tables from a body.
func (i *RequestInfo) isFor(body string) {
	if i != nil {
		i.Tables = tablesOf(body)
	}
}

// mention is where a request, or a part of one, names a table.
type mention struct {
	TableName          string
	TableArn           string
	ResourceArn        string
	StreamArn          string
	Statement          string
	RequestItems       map[string]json.RawMessage
	TransactItems      []map[string]mention
	Statements         []mention
	TransactStatements []mention
}

// tablesOf finds the tables that a request names, whatever its operation.
func tablesOf(body string) []string {
	var m mention
	if json.Unmarshal([]byte(body), &m) != nil {
		return nil
	}
	found := map[string]struct{}{}
	m.collect(found)
	return slices.Sorted(maps.Keys(found))
}

func (m *mention) collect(found map[string]struct{}) {
	for _, name := range [...]string{m.TableName, m.TableArn, m.ResourceArn, m.StreamArn, m.statementTable()} {
		if name = nameOfARN(name); name != "" {
			found[name] = struct{}{}
		}
	}
	for name := range m.RequestItems {
		found[nameOfARN(name)] = struct{}{}
	}
	for _, item := range m.TransactItems {
		for _, action := range item {
			action.collect(found)
		}
	}
	for _, list := range [...][]mention{m.Statements, m.TransactStatements} {
		for i := range list {
			list[i].collect(found)
		}
	}
}

func (m *mention) statementTable() string {
	if m.Statement == "" {
		return ""
	}
	s, err := partiql.Parse(m.Statement)
	if err != nil {
		return ""
	}
	return s.Table
}

// nameOfARN is the table's name in an ARN of a table or something of it; what is no ARN is a name.
func nameOfARN(s string) string {
	if !strings.HasPrefix(s, "arn:") {
		return s
	}
	_, name, _ := strings.Cut(s, ":table/")
	name, _, _ = strings.Cut(name, "/")
	return name
}
