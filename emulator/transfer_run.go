package emulator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage"
)

// settleTime is how long, in real time, a request that begins a job waits for its end. A job that
// takes longer goes on without the request. So a test with little data need not poll: when the
// request is answered, the job has done its work.
const settleTime = time.Second

// jobRun is a job that runs.
type jobRun struct {
	call    *call // of the job: without a client, faults and events
	account *accountData
	ctx     context.Context // ends when the job is to stop
	stop    context.CancelFunc
	begun   *job // the state in which this run found the job
	job     *job // the latest state; the lock of the store protects it
	settled chan struct{}
	once    sync.Once // closes settled

	parts map[string]string // what the journal keeps for the next run, by key; only the run uses it
}

// jobRuns holds the jobs of a service that run.
type jobRuns struct {
	service *service
	buckets Buckets // nil: there are none

	mu     sync.Mutex
	closed bool
	all    map[*jobRun]struct{}
	group  sync.WaitGroup
}

// addJobRuns adds the jobs of a service.
func addJobRuns(s *service, buckets Buckets) *jobRuns {
	runs := &jobRuns{service: s, buckets: buckets}
	s.parts[jobRunsPart] = runs
	s.namespaces.dismiss = append(s.namespaces.dismiss, runs.stopAll)
	return runs
}

// jobRuns returns the service's.
func (s *service) jobRuns() *jobRuns { return s.parts[jobRunsPart].(*jobRuns) }

// jobFailure is the end of a job that has failed.
type jobFailure struct{ code, message string }

func (f *jobFailure) Error() string { return f.code + ": " + f.message }

// failureOf returns the failure that an error means.
func failureOf(err error) *jobFailure {
	var failure *jobFailure
	var bucket *BucketError
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &bucket):
		return &jobFailure{"S3" + bucket.Code, bucket.Message}
	}
	return &jobFailure{"UNKNOWN", err.Error()}
}

// errNoBuckets has the text of the Developer Guide, "Import format quotas and validation", "The
// specified bucket does not exist", without its request IDs.
var errNoBuckets = &BucketError{Code: "NoSuchBucket", Message: "The specified bucket does not exist (Service: Amazon S3; Status Code: 404; " +
	"Error Code: NoSuchBucket). There are no buckets at all: the server was started without a store of objects"}

// buckets returns the service's buckets.
func (c *call) buckets() (Buckets, error) {
	if buckets := c.service.jobRuns().buckets; buckets != nil {
		return buckets, nil
	}
	return nil, errNoBuckets
}

// kept returns a copy of a request that outlives it, and its JSON.
func kept[In any](in *In) (*In, string) {
	text := string(wire.Append(nil, in))
	own := new(In)
	if err := wire.Decode(text, own, nil); err != nil {
		panic(err) // it was decoded before
	}
	return own, text
}

// jobStart is a request that begins a job.
type jobStart struct {
	kind    jobKind
	request string // in wire JSON, without its token
	token   *api.ClientToken
	reused  error // for a token that stands for another request

	begin    func(tx *storage.Tx) (run *jobRun, work func() error, err error)
	describe func(tx *storage.Tx, j *job) // makes the answer
}

// startJob begins a job and starts it, or describes the job that the client token stands for.
func (c *call) startJob(s *jobStart) error {
	var run *jobRun
	var work func() error
	err := c.store.Update(func(tx *storage.Tx) (err error) {
		if old := c.account.jobs().withToken(s.kind, string(api.Deref(s.token)), c.now()); old != nil {
			if old.Request != s.request {
				return s.reused
			}
			s.describe(tx, old)
			return nil
		}
		if run, work, err = s.begin(tx); err != nil {
			return err
		}
		s.describe(tx, run.job)
		return nil
	})
	if err != nil || run == nil {
		return err
	}
	run.start(c, work)
	return nil
}

// beginJob adds a job to the account, within an Update. The caller starts it after the Update.
func (c *call) beginJob(tx *storage.Tx, j *job) *jobRun {
	c.account.jobs().trim(tx, c.now())
	r := c.service.newJobRun(c.account, j, c.operation)
	r.keep(tx, j)
	return r
}

// newJobRun returns a run of a job that has not started. The operation is the one that begins such
// jobs.
func (s *service) newJobRun(a *accountData, j *job, operation *operation) *jobRun {
	r := &jobRun{account: a, begun: j, job: j, settled: make(chan struct{}), parts: map[string]string{}}
	r.ctx, r.stop = context.WithCancel(context.Background())
	by := &j.Beginner
	r.call = &call{
		service: s, store: a.store, account: a,
		Owner:     arn.Owner{Account: by.Account, Region: by.Region},
		accessKey: by.AccessKey, operation: operation, form: operation.form, ctx: r.ctx,
		watch: s.guard.beginJob(a.partitionCount().State, by.Caller),
	}
	return r
}

// keep replaces the job's state.
func (r *jobRun) keep(tx *storage.Tx, j *job) {
	s := r.account.jobs()
	s.keep(tx, j)
	if s.running == nil {
		s.running = map[string]*jobRun{}
	}
	s.running[j.key()] = r
	r.job = j
}

// start runs a job and waits a moment for its end.
func (r *jobRun) start(c *call, work func() error) {
	r.launch(work)
	r.await(c.ctx)
}

// launch runs a job in the background. The job ends when work returns.
func (r *jobRun) launch(work func() error) {
	runs := r.call.service.jobRuns()
	runs.mu.Lock()
	if runs.all == nil {
		runs.all = map[*jobRun]struct{}{}
	}
	runs.all[r] = struct{}{}
	if runs.closed {
		r.stop()
	}
	runs.group.Add(1)
	runs.mu.Unlock()
	r.account.borrowers.Add(1)
	go func() {
		defer func() {
			r.settle()
			r.stop()
			r.account.giveBack()
			runs.mu.Lock()
			delete(runs.all, r)
			runs.mu.Unlock()
			runs.group.Done()
		}()
		r.run(work)
	}()
}

// await waits for the job to settle, but not for long.
func (r *jobRun) await(ctx context.Context) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	select {
	case <-r.settled:
	case <-ctx.Done():
	}
}

// settle says that the job has done what it can do until the clock moves.
func (r *jobRun) settle() { r.once.Do(func() { close(r.settled) }) }

// sleep waits on the service's clock.
func (r *jobRun) sleep(d time.Duration) error {
	r.settle()
	return r.call.service.sleep(r.ctx, d)
}

// run does the work and ends the job.
func (r *jobRun) run(work func() error) {
	err := r.guarded(work)
	if r.call.watch != nil {
		r.call.watch.finish(nil) // each write has settled its own findings
	}
	if err != nil && r.abandoned() {
		r.rest()
		return // the account is gone or the service closes: the job ends as an orphan
	}
	if err := r.end(err); err != nil {
		r.call.service.logger.Error("the end of a job could not be kept", slog.String("job", r.begun.key()), slog.Any("error", err))
	}
}

// errPanicked is the error of a job that panicked.
var errPanicked = errors.New("panic")

// guarded turns a panic of the work into an error.
func (r *jobRun) guarded(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.call.service.logger.Error("panic in a job", slog.String("job", r.begun.key()),
				slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errPanicked
		}
	}()
	return work()
}

// abandoned reports whether the job was stopped, but not by a request to cancel it.
func (r *jobRun) abandoned() (abandoned bool) {
	r.account.store.View(func(*storage.Tx) error {
		abandoned = r.ctx.Err() != nil && r.job.Status != jobCancelling
		return nil
	})
	return abandoned
}

// end replaces the job by its final state.
func (r *jobRun) end(err error) error {
	return r.account.store.Update(func(tx *storage.Tx) error {
		now := r.call.now()
		j := *r.job
		switch {
		case j.Status == jobCancelling:
			j.Status = jobCancelled
			j.FailureCode, j.FailureMessage = "Cancelled", "The operation was cancelled"
		case err != nil:
			f := failureOf(err)
			j.Status, j.FailureCode, j.FailureMessage = jobFailed, f.code, f.message
		case j.Kind == bulkJob && j.Errors > 0:
			j.Status = jobWithErrors
		case j.Kind == importJob && j.Errors > 0:
			j.Status, j.FailureCode, j.FailureMessage = jobFailed, errImportItems.code, errImportItems.message
		default:
			j.Status = jobCompleted
		}
		ended := j.Started.Time().Add(r.call.delays().create)
		if ended.Before(now) {
			ended = now
		}
		j.Ended = storage.InstantOf(ended)
		r.call.releaseImported(tx, &j, ended)
		r.account.jobs().keep(tx, &j)
		delete(r.account.jobs().running, j.key())
		r.job = &j
		for key := range r.parts {
			tx.Forget(jobState.prefix() + key)
		}
		return nil
	})
}

// releaseImported makes the table of an import ACTIVE from a time on.
func (c *call) releaseImported(tx *storage.Tx, j *job, from time.Time) {
	if j.Kind != importJob {
		return
	}
	t := tx.Table(j.Table)
	if t == nil || t.ID != j.TableID {
		return
	}
	s := tables.SettingsOf(tx, t).Clone()
	s.State.Until = from
	tx.SetSettings(t, s)
}

// errOrphan is the failure of a job that nobody runs.
var errOrphan = &jobFailure{"Interrupted", "The server that ran the operation has stopped and cannot go on with it, or this is a fork of it"}

// errEndsProcesses is the failure of a job that another process shall not take up again.
var errEndsProcesses = &jobFailure{"Interrupted", fmt.Sprintf("The server has ended %d times in a row while it went on with the operation, "+
	"and does not go on with it again", maxStarts)}

// orphaned returns the failure of a job that nobody runs.
func (j *job) orphaned() *jobFailure {
	if j.Starts >= maxStarts {
		return errEndsProcesses
	}
	return errOrphan
}

// endOrphans fails the jobs that nobody runs: those of a fork's original, and those of another
// process that cannot go on. What they have written stays.
func endOrphans(a *accountData, clock func() time.Time) {
	orphans := a.jobs().list(func(j *job) bool { return j.unfinished() && a.jobs().running[j.key()] == nil })
	if len(orphans) == 0 {
		return
	}
	now := clock()
	a.store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, orphan := range orphans {
			j := *orphan
			j.Status, j.Ended = jobFailed, storage.InstantOf(now)
			f := j.orphaned()
			j.FailureCode, j.FailureMessage = f.code, f.message
			(*call)(nil).releaseImported(tx, &j, now)
			a.jobs().keep(tx, &j)
			for key := range a.jobs().parts[j.key()] {
				tx.Forget(jobState.prefix() + key)
			}
		}
		return nil
	})
}

// stopAll stops the jobs of accounts that are gone, or all if gone is nil.
func (s *jobRuns) stopAll(gone map[*accountData]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.all {
		if gone == nil || gone[r.account] {
			r.stop()
		}
	}
}

// close stops all jobs, those to come as well, and waits for their ends.
func (s *jobRuns) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stopAll(nil)
	s.group.Wait()
}
