package search

import "regexp"

// Outcome says what a run has led to.
type Outcome struct {
	plan      plan
	steps     []*step
	workers   []*Worker
	state     string     // the state of all tables, as text
	check     error      // the error of the first check that failed
	refused   string     // what the policy refused
	stuck     string     // not "": a deadlock, with the stacks of who waits
	violated  *violation // what Always demands did not hold; nil: it did
	livelock  string     // not "": workers go round the same state
	round     int        // the requests of a livelock's round
	cut       bool       // the run had more requests than Longest
	stopped   bool       // the chooser stopped the run
	polled    bool       // a worker that polled waited for others: see letOthersGo
	overslept bool       // requests went while a worker slept: see Gate.Oversleep
	astray    bool       // it did, because the workers did not do what they had done before
}

// violation says where what Always demands did not hold.
type violation struct {
	after int // the step; -1: before the first one
	err   string
}

// whole reports whether the run went on until its workers had ended.
func (o *Outcome) whole() bool { return !o.cut && !o.stopped && o.stuck == "" }

var requestID = regexp.MustCompile(`,? ?\bRequest ?ID: [A-Z0-9]*`)

// ErrorText returns the text of an error without the ids of requests, which differ between orders.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	return requestID.ReplaceAllString(err.Error(), "")
}
