package jobs

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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
	JobInProgress = "IN_PROGRESS"
	jobCompleted  = "COMPLETED"
	jobWithErrors = "COMPLETED_WITH_ERRORS"
	jobCancelling = "CANCELLING"
	jobCancelled  = "CANCELLED"
	JobFailed     = "FAILED"
)

const (
	// jobTokenLife is how long a client token stands for its job (API Reference, ImportTable,
	// ClientToken).
	jobTokenLife = 8 * time.Hour

	// jobLife is how long a job can be described (API Reference, ListExports).
	jobLife = 90 * backups.Day

	// MaxJobs and maxJobBytes limit the jobs of an account. Beyond them those that ended first are
	// forgotten early.
	MaxJobs     = 1000
	maxJobBytes = 16 << 20
)

// Job is an export, an import or a bulk operation. It never changes: a later state replaces it. The
// journal keeps it as JSON with the names of its members, which must stay.
type Job struct {
	Kind           jobKind
	ID             string
	Table, TableID string
	Request        string // the input in wire JSON, without its token
	Token          string `json:",omitempty"` // the client token, or ""
	Status         string
	Started        storage.Instant
	Ended          storage.Instant // counts once Status is final; until then the job is in progress
	FailureCode    string          `json:",omitempty"`
	FailureMessage string          `json:",omitempty"`
	Time           storage.Instant // an export's
	Beginner       JobBeginner     // zero in the journals of older versions
	Manifest       string          `json:",omitempty"` // the manifest of an export that has ended

	Processed int64 // records that were read
	Written   int64 // items
	Errors    int64 // records that were refused
	Bytes     int64 // an export's billed size, or the size of what was read
	// bytes of the objects that were read, as they are stored
	Stored  int64            `json:",omitempty"`
	Total   int64            `json:",omitempty"` // the size of all objects
	Used    map[string]int64 `json:",omitempty"` // bytes put, by index; "" is the table
	Vectors map[string]int64 `json:",omitempty"` // bytes put to vector indexes
	Object  string           `json:",omitempty"` // the object of the last record that was read
	Index   int64            `json:",omitempty"` // the number of that record in its object
	// stands for the objects, as they were before the first record was read
	Source string `json:",omitempty"`
}

// JobBeginner is who began a job: the owner of the resources that the request names, and the caller
// as policies see it.
type JobBeginner struct {
	Account, Region string
	AccessKey       string         `json:",omitempty"`
	Caller          request.Caller // zero without a policy
}

// Key identifies the job in its account.
func (j *Job) Key() string { return string(j.Kind) + "/" + j.ID }

// arn returns the job's ARN.
func (j *Job) arn(o arn.Owner) string { return o.TableARN(j.Table) + "/" + j.Key() }

// unfinished reports whether the job's work has not ended.
func (j *Job) unfinished() bool { return j.Status == JobInProgress || j.Status == jobCancelling }

// statusAt returns the job's state at a time.
func (j *Job) statusAt(now time.Time) string {
	if !j.unfinished() && now.Before(j.Ended.Time()) {
		return JobInProgress
	}
	return j.Status
}

// resumable reports whether another process can go on with the job. Jobs of older versions do not
// say who began them.
func (j *Job) resumable() bool {
	return j.unfinished() && j.Beginner.Region != "" && j.Kind.operationName() != ""
}

// operationName returns the name of the operation that begins jobs of the kind, or "".
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
func (j *Job) overAt(now time.Time) bool { return !j.unfinished() && !now.Before(j.Ended.Time()) }

// bytes returns the memory that the job takes, about.
func (j *Job) bytes() int { return 500 + len(j.Request) + len(j.FailureMessage) + len(j.Token) }

// Jobs holds the jobs of an account. The lock of the account's store protects it.
type Jobs struct {
	Known   map[string]*Job // the jobs by their keys
	shared  bool            // a fork has the map as well
	running map[string]*jobRun
	damaged []string // the keys of records that load could not read
	// parts of jobs that load has found, by the job's key and the part's
	parts map[string]map[string]string
}

// JobsOf returns the account's jobs.
func JobsOf(a *serve.Account) *Jobs { return a.States[serve.JobState].(*Jobs) }

// Fork returns the same jobs. None of them runs in the fork: see Account.endOrphans.
func (s *Jobs) Fork() serve.State {
	s.shared = true
	return &Jobs{Known: s.Known, shared: true}
}

// Load sets records aside that are not jobs: they stay in the journal, and all else is there.
func (s *Jobs) Load(kept map[string]string) error {
	for key, text := range kept {
		if of, _, isPart := cutPart(key); isPart {
			s.addPart(of, key, text)
			continue
		}
		j := new(Job)
		if err := json.Unmarshal([]byte(text), j); err != nil || j.Key() != key {
			s.damaged = append(s.damaged, key)
			continue
		}
		s.put(j)
	}
	return nil
}

func (s *Jobs) KeepAll(keep func(key, value string)) {
	for key, j := range s.Known {
		keep(key, j.text())
	}
}

// Forked ends the jobs of the original.
func (s *Jobs) Forked(a *serve.Account, clock func() time.Time) { endOrphans(a, clock) }

func (s *Jobs) Disposable(time.Time) bool { return len(s.Known) == 0 }

// partMark separates the key of a job from the name of a part of it in the journal. A part is
// something that only the job's run needs, to go on in another process.
const partMark = "/part/"

// cutPart returns the key of the job that the key of a part belongs to, and the part's name.
func cutPart(key string) (of, name string, isPart bool) { return strings.Cut(key, partMark) }

// addPart adds a part from the journal.
func (s *Jobs) addPart(of, key, text string) {
	if s.parts == nil {
		s.parts = map[string]map[string]string{}
	}
	if s.parts[of] == nil {
		s.parts[of] = map[string]string{}
	}
	s.parts[of][key] = text
}

// text returns the job as the journal keeps it.
func (j *Job) text() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err) // the type has nothing that could fail
	}
	return string(text)
}

// put replaces a state of a job.
func (s *Jobs) put(j *Job) { s.own()[j.Key()] = j }

// own returns the map of the jobs, which no fork has.
func (s *Jobs) own() map[string]*Job {
	if s.shared || s.Known == nil {
		s.Known, s.shared = maps.Clone(s.Known), false
	}
	if s.Known == nil {
		s.Known = map[string]*Job{}
	}
	return s.Known
}

// Keep puts a job here and in the journal.
func (s *Jobs) Keep(tx *storage.Tx, j *Job) {
	s.put(j)
	tx.Keep(serve.JobState.Prefix()+j.Key(), j.text())
}

// Trim forgets the jobs that are too old, too many or too large together.
func (s *Jobs) Trim(tx *storage.Tx, now time.Time) {
	over := s.List(func(j *Job) bool { return j.overAt(now) })
	count, bytes := 0, 0
	for _, j := range over { // the latest first
		count++
		bytes += j.bytes()
		if count > MaxJobs || bytes > maxJobBytes || j.Ended.Time().Before(now.Add(-jobLife)) {
			delete(s.own(), j.Key())
			tx.Forget(serve.JobState.Prefix() + j.Key())
		}
	}
}

// List returns the jobs that are wanted, the latest first.
func (s *Jobs) List(wanted func(*Job) bool) (list []*Job) {
	for _, j := range s.Known {
		if wanted(j) {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *Job) int {
		return cmp.Or(strings.Compare(b.ID, a.ID), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return list
}

// page returns at most limit jobs of a kind after an ID, and whether there are more. Jobs that
// ended 90 days ago are not listed.
func (s *Jobs) page(kind jobKind, of jobsOfTable, after string, limit int,
	now time.Time) (page []*Job, more bool) {
	page = s.List(func(j *Job) bool {
		return j.Kind == kind && of.has(j) && (after == "" || j.ID < after) && !j.forgottenAt(now)
	})
	if len(page) > limit {
		return page[:limit], true
	}
	return page, false
}

// jobsOfTable are the jobs of a table with a name, or all of them without one. The table may have
// to be there still: one that was deleted, and one that was created later by its name, have none of
// its exports (service facts T.24).
type jobsOfTable struct {
	name  string
	there bool
	id    string // the ID of the table that is there
}

func (of jobsOfTable) has(j *Job) bool {
	return (of.name == "" || j.Table == of.name) && (of.id == "" || j.TableID == of.id)
}

// listJobs passes the jobs of a page to add. It returns the last one if there are more.
func listJobs(c *serve.Call, kind jobKind, of jobsOfTable, after string, limit int,
	add func(*Job)) (last *Job) {
	c.Store.View(func(tx *storage.Tx) error { // this cannot fail
		if of.there && of.name != "" {
			t, _, err := c.KnownTable(tx, of.name)
			if err != nil {
				return nil
			}
			of.id = t.ID
		}
		page, more := JobsOf(c.Data).page(kind, of, after, limit, c.Now())
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
func (j *Job) forgottenAt(now time.Time) bool {
	return j.overAt(now) && j.Ended.Time().Before(now.Add(-jobLife))
}

// inProgress returns how many jobs of a kind are in progress.
func (s *Jobs) inProgress(kind jobKind, now time.Time) int {
	return len(s.List(func(j *Job) bool { return j.Kind == kind && !j.overAt(now) }))
}

// withToken returns the job that a client token stands for, or nil.
func (s *Jobs) withToken(kind jobKind, token string, now time.Time) *Job {
	if token == "" {
		return nil
	}
	found := s.List(func(j *Job) bool {
		return j.Kind == kind && j.Token == token && now.Before(j.Started.Time().Add(jobTokenLife))
	})
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// newJob returns a job that begins now.
func newJob(c *serve.Call, kind jobKind, table, tableID, request string,
	token *api.ClientToken) *Job {
	now := c.Now()
	j := &Job{
		Kind: kind, ID: control.NewBackupID(c, now), Table: strings.Clone(table), TableID: tableID,
		Request: request,
		Token:   strings.Clone(string(api.Deref(token))), Status: JobInProgress,
		Started: storage.InstantOf(now),
		Beginner: JobBeginner{Account: c.Account, Region: c.Region, AccessKey: c.AccessKey,
			Caller: c.Policy.Caller()},
	}
	for JobsOf(c.Data).Known[j.Key()] != nil {
		j.ID = control.NewBackupID(c, now)
	}
	return j
}

// parseJobARN returns the table and the ID in the ARN of a job. The job must be the caller's, and
// so must what is no job (service facts H.4).
func parseJobARN(c *serve.Call, kind jobKind, text string) (table, id string, ok bool, err error) {
	of, id, ok := strings.Cut(text, "/"+string(kind)+"/")
	if !ok || strings.Contains(id, "/") {
		if c.OfAnotherAccount(text) {
			return "", "", false, c.AccessDenied(text)
		}
		return "", "", false, nil
	}
	table, err = c.TableOfARN(of)
	return table, id, err == nil, err
}

// knownJob returns the job with an ARN, or nil if no job has it.
func knownJob(c *serve.Call, kind jobKind, table, id string) *Job {
	j := JobsOf(c.Data).Known[string(kind)+"/"+id]
	if j == nil || j.Table != table || j.forgottenAt(c.Now()) {
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
