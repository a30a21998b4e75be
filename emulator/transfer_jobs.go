package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// jobKind is the kind of a job. It is a part of the ARN.
type jobKind string

// The kinds of jobs.
const (
	exportJob jobKind = "export"
	importJob jobKind = "import"
	bulkJob   jobKind = "bulk-operation"
)

// States of jobs.
const (
	jobInProgress = "IN_PROGRESS"
	jobCompleted  = "COMPLETED"
	jobWithErrors = "COMPLETED_WITH_ERRORS"
	jobCancelling = "CANCELLING"
	jobCancelled  = "CANCELLED"
	jobFailed     = "FAILED"
)

const (
	// maxStarts is how many processes in a row may end while they go on with a job. It is then the job
	// that ends them.
	maxStarts = 3

	// jobTokenLife is how long a client token stands for its job (API Reference, ImportTable,
	// ClientToken).
	jobTokenLife = 8 * time.Hour

	// jobLife is how long a job can be described (API Reference, ListExports).
	jobLife = 90 * day

	// maxJobs and maxJobBytes limit the jobs of an account. Beyond them those that ended first are
	// forgotten early.
	maxJobs     = 1000
	maxJobBytes = 16 << 20
)

// job is an export, an import or a bulk operation. It never changes: a later state replaces it. The
// journal keeps it as JSON with the names of its members, which must stay.
type job struct {
	Kind           jobKind
	ID             string
	Table, TableID string
	Request        string // the input in wire JSON, without its token
	Token          string `json:",omitempty"` // the client token, "" if there is none
	Status         string
	Started        storage.Instant
	Ended          storage.Instant // counts once Status is final; until then the job is in progress
	FailureCode    string          `json:",omitempty"`
	FailureMessage string          `json:",omitempty"`
	Time           storage.Instant // an export's
	Beginner       jobBeginner     // zero in the journals of older versions
	Manifest       string          `json:",omitempty"` // of an export that has ended

	Processed int64            // records that were read
	Written   int64            // items
	Errors    int64            // records that were refused
	Bytes     int64            // an export's billed size, or the size of what was read
	Stored    int64            `json:",omitempty"` // of the objects that were read, as they are stored
	Total     int64            `json:",omitempty"` // of all objects
	Used      map[string]int64 `json:",omitempty"` // bytes put, by index; "" is the table
	Vectors   map[string]int64 `json:",omitempty"` // bytes put to vector indexes
	Object    string           `json:",omitempty"` // of the last record that was read
	Index     int64            `json:",omitempty"` // of that record in its object
	Source    string           `json:",omitempty"` // stands for the objects, as they were before the first record was read
	Starts    int64            `json:",omitempty"` // how many processes in a row took up the job and ended without it getting on
}

// jobBeginner is who began a job: the owner of the resources that the request names, and the caller
// as policies see it.
type jobBeginner struct {
	Account, Region string
	AccessKey       string         `json:",omitempty"`
	Caller          request.Caller // zero without a policy
}

// key identifies the job in its account.
func (j *job) key() string { return string(j.Kind) + "/" + j.ID }

// arn returns the job's ARN.
func (j *job) arn(o arn.Owner) string { return o.TableARN(j.Table) + "/" + j.key() }

// unfinished reports whether the job's work has not ended.
func (j *job) unfinished() bool { return j.Status == jobInProgress || j.Status == jobCancelling }

// statusAt returns the job's state at a time.
func (j *job) statusAt(now time.Time) string {
	if !j.unfinished() && now.Before(j.Ended.Time()) {
		return jobInProgress
	}
	return j.Status
}

// resumable reports whether another process can go on with the job. Jobs of older versions do not
// say who began them.
func (j *job) resumable() bool {
	return j.unfinished() && j.Beginner.Region != "" && j.Kind.operationName() != "" && j.Starts < maxStarts
}

// operationName returns the name of the operation that begins jobs of the kind, "" if there is none.
func (k jobKind) operationName() string {
	switch k {
	case exportJob:
		return "ExportTableToPointInTime"
	case importJob:
		return "ImportTable"
	case bulkJob:
		return "StartBulkPutItems"
	}
	return ""
}

// overAt reports whether the job's state is final at a time.
func (j *job) overAt(now time.Time) bool { return !j.unfinished() && !now.Before(j.Ended.Time()) }

// bytes returns the memory that the job takes, about.
func (j *job) bytes() int { return 500 + len(j.Request) + len(j.FailureMessage) + len(j.Token) }

// jobs holds the jobs of an account. The lock of the account's store protects it.
type jobs struct {
	known   map[string]*job // by key
	shared  bool            // a fork has the map as well
	running map[string]*jobRun
	parts   map[string]map[string]string // of jobs that load has found, by the job's key and the part's
}

// jobs returns the account's jobs.
func (a *accountData) jobs() *jobs { return a.states[jobState].(*jobs) }

// fork returns the same jobs, none of which runs in the fork: see accountData.endOrphans.
func (s *jobs) fork() accountState {
	s.shared = true
	return &jobs{known: s.known, shared: true}
}

func (s *jobs) load(kept map[string]string) error {
	for key, text := range kept {
		if of, _, isPart := cutPart(key); isPart {
			s.addPart(of, key, text)
			continue
		}
		j := new(job)
		if err := json.Unmarshal([]byte(text), j); err != nil || j.key() != key {
			return fmt.Errorf("%q is not a job: %w", key, err)
		}
		s.put(j)
	}
	return nil
}

func (s *jobs) keepAll(keep func(key, value string)) {
	for key, j := range s.known {
		keep(key, j.text())
	}
}

// forked ends the jobs of the original.
func (s *jobs) forked(a *accountData, clock func() time.Time) { endOrphans(a, clock) }

func (s *jobs) disposable(time.Time) bool { return len(s.known) == 0 }

// partMark separates the key of a job from the name of a part of it in the journal. A part is
// something that only the job's run needs, to go on in another process.
const partMark = "/part/"

// cutPart returns the key of the job that the key of a part belongs to, and the part's name.
func cutPart(key string) (of, name string, isPart bool) { return strings.Cut(key, partMark) }

// addPart adds a part from the journal.
func (s *jobs) addPart(of, key, text string) {
	if s.parts == nil {
		s.parts = map[string]map[string]string{}
	}
	if s.parts[of] == nil {
		s.parts[of] = map[string]string{}
	}
	s.parts[of][key] = text
}

// text returns the job as the journal keeps it.
func (j *job) text() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err) // the type has nothing that could fail
	}
	return string(text)
}

// put replaces a state of a job.
func (s *jobs) put(j *job) { s.own()[j.key()] = j }

// own returns the map of the jobs, which no fork has.
func (s *jobs) own() map[string]*job {
	if s.shared || s.known == nil {
		s.known, s.shared = maps.Clone(s.known), false
	}
	if s.known == nil {
		s.known = map[string]*job{}
	}
	return s.known
}

// keep puts a job here and in the journal.
func (s *jobs) keep(tx *storage.Tx, j *job) {
	s.put(j)
	tx.Keep(jobState.prefix()+j.key(), j.text())
}

// trim forgets the jobs that are too old, too many or too large together.
func (s *jobs) trim(tx *storage.Tx, now time.Time) {
	over := s.list(func(j *job) bool { return j.overAt(now) })
	count, bytes := 0, 0
	for _, j := range over { // the latest first
		count++
		bytes += j.bytes()
		if count > maxJobs || bytes > maxJobBytes || j.Ended.Time().Before(now.Add(-jobLife)) {
			delete(s.own(), j.key())
			tx.Forget(jobState.prefix() + j.key())
		}
	}
}

// list returns the jobs that are wanted, the latest first.
func (s *jobs) list(wanted func(*job) bool) (list []*job) {
	for _, j := range s.known {
		if wanted(j) {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *job) int {
		return cmp.Or(strings.Compare(b.ID, a.ID), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return list
}

// page returns at most limit jobs of a kind after an ID, and whether there are more. Jobs that
// ended 90 days ago are not listed.
func (s *jobs) page(kind jobKind, table, after string, limit int, now time.Time) (page []*job, more bool) {
	page = s.list(func(j *job) bool {
		return j.Kind == kind && (table == "" || j.Table == table) && (after == "" || j.ID < after) && !j.forgottenAt(now)
	})
	if len(page) > limit {
		return page[:limit], true
	}
	return page, false
}

// listJobs passes the jobs of a page to add. It returns the last one if there are more.
func (c *call) listJobs(kind jobKind, table, after string, limit int, add func(*job)) (last *job) {
	c.store.View(func(*storage.Tx) error { // which cannot fail
		page, more := c.account.jobs().page(kind, table, after, limit, c.now())
		for _, j := range page {
			add(j)
		}
		if more {
			last = page[len(page)-1]
		}
		return nil
	})
	return last
}

// forgottenAt reports whether the job ended too long ago.
func (j *job) forgottenAt(now time.Time) bool {
	return j.overAt(now) && j.Ended.Time().Before(now.Add(-jobLife))
}

// inProgress returns how many jobs of a kind are in progress.
func (s *jobs) inProgress(kind jobKind, now time.Time) int {
	return len(s.list(func(j *job) bool { return j.Kind == kind && !j.overAt(now) }))
}

// withToken returns the job that a client token stands for, or nil.
func (s *jobs) withToken(kind jobKind, token string, now time.Time) *job {
	if token == "" {
		return nil
	}
	found := s.list(func(j *job) bool {
		return j.Kind == kind && j.Token == token && now.Before(j.Started.Time().Add(jobTokenLife))
	})
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// newJob returns a job that begins now.
func (c *call) newJob(kind jobKind, table, tableID, request string, token *api.ClientToken) *job {
	now := c.now()
	j := &job{
		Kind: kind, ID: c.newBackupID(now), Table: strings.Clone(table), TableID: tableID, Request: request,
		Token: strings.Clone(string(api.Deref(token))), Status: jobInProgress, Started: storage.InstantOf(now),
		Beginner: jobBeginner{Account: c.Account, Region: c.Region, AccessKey: c.accessKey, Caller: c.watch.caller()},
	}
	for c.account.jobs().known[j.key()] != nil {
		j.ID = c.newBackupID(now)
	}
	return j
}

// parseJobARN returns the table and the ID in the ARN of a job. The job must be the caller's.
func (c *call) parseJobARN(kind jobKind, text string) (table, id string, ok bool, err error) {
	of, id, ok := strings.Cut(text, "/"+string(kind)+"/")
	if !ok || strings.Contains(id, "/") {
		return "", "", false, nil
	}
	table, err = c.tableOfARN(of)
	return table, id, err == nil, err
}

// knownJob returns the job with an ARN, or nil if there is none.
func (c *call) knownJob(kind jobKind, table, id string) *job {
	j := c.account.jobs().known[string(kind)+"/"+id]
	if j == nil || j.Table != table || j.forgottenAt(c.now()) {
		return nil
	}
	return j
}

// optionalText returns a pointer to a text, or nil if it is empty.
func optionalText[T ~string](text string) *T {
	if text == "" {
		return nil
	}
	return api.Ref(T(text))
}
