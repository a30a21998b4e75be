package traffic

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator"
)

// Plan explains one request: by which keys, indexes and conditions it reaches items, what it costs,
// and why. It is encoded to JSON by encoding/json, and its lists are never nil.
type Plan struct {
	Operation  string  `json:"operation"`
	Error      string  `json:"error,omitempty"` // its type, if the request is refused
	Message    string  `json:"message,omitempty"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Evaluated  int     `json:"evaluated"` // items that the request reads
	Returned   int     `json:"returned"`  // items that pass the filter, or are found
	Written    int     `json:"written"`   // items that the request changes or deletes
	// there is more to read than the page that the answer has
	More       bool              `json:"more"`
	Capacity   []Capacity        `json:"capacity"`
	Reads      []ReadReport      `json:"reads"`      // pages of Query, Scan and SELECT
	Partitions []PartitionReport `json:"partitions"` // ten at most, in descending order of units
	Why        []string          `json:"why"`        // what the units come from

	// Access lists the permissions that the request needs, up to the first that is denied. It is
	// empty without emulator.WithIAM.
	Access []AccessReport `json:"access,omitempty"`
}

// AccessReport is the decision about a permission, and what decided.
type AccessReport struct {
	Action   string `json:"action"`
	Resource string `json:"resource"`
	Allowed  bool   `json:"allowed"`
	By       string `json:"by,omitempty"`     // kind of policy; none if a root user needed none
	Policy   string `json:"policy,omitempty"` // its name, if it has one
	// number in the policy, from 0; nil if no statement allows it
	Statement *int   `json:"statement,omitempty"`
	Sid       string `json:"sid,omitempty"`
}

// accessOf reports the decisions about a request.
func accessOf(ev *emulator.Event) (list []AccessReport) {
	for i := range ev.Access {
		a := &ev.Access[i]
		r := AccessReport{
			Action: a.Action, Resource: a.Resource, Allowed: a.Allowed, By: string(a.Kind),
			Policy: a.Policy, Sid: a.Sid,
		}
		if a.Explicit {
			r.Statement = &a.Statement
		}
		list = append(list, r)
	}
	return list
}

// String returns the decision as text.
func (a *AccessReport) String() string {
	decision := "denied"
	if a.Allowed {
		decision = "allowed"
	}
	text := fmt.Sprintf("%s on %s: %s", a.Action, a.Resource, decision)
	switch {
	case a.Statement != nil:
		text += fmt.Sprintf(" by statement %d", *a.Statement)
		if a.Sid != "" {
			text += " (" + a.Sid + ")"
		}
		text += " of " + strings.TrimSpace("the "+a.By+" "+a.Policy)
	case a.By == "":
		text += ": the root user of the account may do everything"
	default:
		text += ": no statement of a " + a.By + " allows it"
	}
	return strings.Replace(text, "of a identity", "of an identity", 1)
}

// Explain returns the plan of the one request that send sends to a Rehearsal of an emulator. The
// emulator itself stays as it is, and no capacity of it is consumed. The error says that send did
// not send exactly one request.
func Explain(e *emulator.Emulator, send func(rehearsal *emulator.Emulator)) (*Plan, error) {
	rehearsal := e.Rehearsal()
	var mu sync.Mutex
	var plans []*Plan
	stop := rehearsal.Observe(func(ev *emulator.Event) {
		p := planOf(ev)
		mu.Lock()
		defer mu.Unlock()
		plans = append(plans, p)
	})
	send(rehearsal)
	stop()
	mu.Lock()
	defer mu.Unlock()
	if len(plans) != 1 {
		return nil, fmt.Errorf("traffic: a plan is of one request, and %d were sent", len(plans))
	}
	return plans[0], nil
}

// Request is a request in the form that it has on the wire.
type Request struct {
	AccessKey string
	Region    string
	Operation string      // one on items: "Query"; with emulator.WithIAM any
	Header    http.Header // headers besides those that every request has
	Body      []byte      // JSON
}

// ExplainRequest is Explain of a request on the wire. The error says that it cannot be sent.
func ExplainRequest(e *emulator.Emulator, in *Request) (*Plan, error) {
	operation, known := catalog.Named(in.Operation)
	if !known || operation.Subject != catalog.Items && !e.Inspect().HasIAM() {
		return nil, fmt.Errorf("traffic: %q is no operation on items", in.Operation)
	}
	for _, name := range [...]string{in.AccessKey, in.Region} {
		if name == "" || strings.Contains(name, "/") {
			return nil, fmt.Errorf("traffic: %q is no access key or region", name)
		}
	}
	r, err := http.NewRequest(http.MethodPost, "http://kugiri/", bytes.NewReader(in.Body))
	if err != nil {
		return nil, err
	}
	if in.Header != nil {
		r.Header = in.Header.Clone()
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", operation.Target())
	var sent error
	plan, err := Explain(e, func(rehearsal *emulator.Emulator) {
		var answer *http.Response
		if answer, sent = rehearsal.HTTPClient(in.AccessKey, in.Region).Do(r); sent == nil {
			sent = answer.Body.Close()
		}
	})
	if sent != nil {
		return nil, sent
	}
	return plan, err
}

// planOf is the plan of a request that has been answered.
func planOf(ev *emulator.Event) *Plan {
	recorder := NewRecorder()
	recorder.Observe(ev)
	report := recorder.Report()
	return &Plan{
		Operation:  ev.Operation,
		Error:      ev.Error,
		Message:    ev.Message,
		ReadUnits:  report.ReadUnits,
		WriteUnits: report.WriteUnits,
		Evaluated:  ev.Evaluated,
		Returned:   ev.Returned,
		Written:    ev.Written,
		More: slices.ContainsFunc(ev.Reads,
			func(page emulator.EventRead) bool { return page.More }),
		Capacity:   report.Capacity,
		Reads:      report.Reads,
		Partitions: report.Partitions,
		Why:        reasons(ev, report),
		Access:     accessOf(ev),
	}
}

// reasons say what makes the units of a request, and what of them need not be.
func reasons(ev *emulator.Event, report *Report) []string {
	list := []string{}
	if operation, _ := catalog.Named(ev.Operation); operation.Parts == catalog.Together &&
		len(report.Capacity) > 0 {
		list = append(list, "a transaction consumes twice the units of the table")
	}
	for i := range report.Capacity {
		if c := &report.Capacity[i]; c.Index != "" && c.Write > 0 {
			list = append(list,
				fmt.Sprintf("the index %s of %s is written, too: %g of the write units", c.Index,
					c.Table, c.Write))
		}
	}
	for i := range report.Reads {
		read := &report.Reads[i]
		for _, why := range read.Why {
			list = append(list, of(read.Table, read.Index)+": "+why)
		}
	}
	for i := range ev.Reads {
		list = append(list, pageReasons(&ev.Reads[i])...)
	}
	return list
}

// pageReasons are those of a page alone.
func pageReasons(page *emulator.EventRead) (list []string) {
	name := of(page.Table, page.Index) + ": "
	if page.Consistent {
		list = append(list, name+"a strongly consistent read consumes twice the units")
	}
	switch {
	case page.More && page.Limit == page.Evaluated:
		list = append(list,
			fmt.Sprintf("%sthere is more to read: the page ends at its Limit of %d items", name,
				page.Limit))
	case page.More:
		list = append(list,
			name+"there is more to read: the page has as many bytes as a page may have")
	}
	return list
}

// String is the plan as text, for people.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %g read units, %g write units; items: %d read, %d returned, %d written\n",
		p.Operation, p.ReadUnits, p.WriteUnits, p.Evaluated, p.Returned, p.Written)
	if p.Error != "" {
		fmt.Fprintf(&b, "refused: %s: %s\n", p.Error, p.Message)
	}
	_, tables, _ := strings.Cut(
		(&Report{Capacity: p.Capacity, Reads: p.Reads, Partitions: p.Partitions}).String(), "\n")
	b.WriteString(tables)
	for i, why := range p.Why {
		if i == 0 {
			b.WriteString("\nWhy\n")
		}
		b.WriteString("  " + why + "\n")
	}
	for i := range p.Access {
		if i == 0 {
			b.WriteString("\nPermissions\n")
		}
		b.WriteString("  " + p.Access[i].String() + "\n")
	}
	return b.String()
}
