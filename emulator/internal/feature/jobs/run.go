package jobs

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
)

// settleTime is how long, in real time, a request that begins a job waits for its end. A job that
// takes longer goes on without the request. So a test with little data need not poll: when the
// request is answered, the job has done its work.
const settleTime = time.Second

// jobRun is a job that runs.
type jobRun struct {
	call    *serve.Call // the job's call: it has no client, faults or events
	account *serve.Account
	ctx     context.Context // ends when the job is to stop
	stop    context.CancelFunc
	begun   *Job // the state in which this run found the job
	job     *Job // the latest state; the lock of the store protects it
	settled chan struct{}
	once    sync.Once // closes settled

	parts map[string]string // what the journal keeps for the next run, by key; only the run uses it
}

// jobFailure is the end of a job that has failed.
type jobFailure struct{ code, message string }

func (f *jobFailure) Error() string { return f.code + ": " + f.message }

// failureOf returns the failure that an error means.
func failureOf(err error) *jobFailure {
	var failure *jobFailure
	var bucket *transfers.Error
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &bucket):
		return &jobFailure{"S3" + bucket.Code, bucket.Message}
	}
	return &jobFailure{unknownFailure, withoutPaths(err)}
}

// unknownFailure is the code of errors that nobody foresaw.
const unknownFailure = "UNKNOWN"

// withoutPaths returns the text of an error for clients: the paths of the server's files are for
// its log.
func withoutPaths(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Op + ": " + path.Err.Error()
	case errors.As(err, &link):
		return link.Op + ": " + link.Err.Error()
	}
	return err.Error()
}

// errNoBuckets has the text of the Developer Guide, "Import format quotas and validation", "The
// specified bucket does not exist", without its request IDs.
var errNoBuckets = &transfers.Error{Code: "NoSuchBucket",
	Message: "The specified bucket does not exist (Service: Amazon S3; Status Code: 404; " +
		"Error Code: NoSuchBucket). There are no buckets at all: the server was started without a store of objects"}

// buckets returns the service's buckets.
func buckets(c *serve.Call) (transfers.Buckets, error) {
	if buckets := c.Service.Buckets; buckets != nil {
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
	request string // the input in wire JSON, without its token
	token   *api.ClientToken
	reused  error // the error for a token that stands for another request

	// again judges a request with the token of another job; nil: it must be the same request
	again    func(tx *storage.Tx, old *Job) error
	begin    func(tx *storage.Tx) (run *jobRun, work func() error, err error)
	describe func(tx *storage.Tx, j *Job) // makes the answer
}

// repeated returns an error if a request with the token of a job is another one.
func (s *jobStart) repeated(tx *storage.Tx, old *Job) error {
	if s.again != nil {
		return s.again(tx, old)
	}
	if old.Request != s.request {
		return s.reused
	}
	return nil
}

// startJob begins a job and starts it, or describes the job that the client token stands for.
func startJob(c *serve.Call, s *jobStart) error {
	var run *jobRun
	var work func() error
	err := c.Store.Update(func(tx *storage.Tx) (err error) {
		if old := JobsOf(c.Data).withToken(s.kind, string(api.Deref(s.token)),
			c.Now()); old != nil {
			if err := s.repeated(tx, old); err != nil {
				return err
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
func beginJob(c *serve.Call, tx *storage.Tx, j *Job) *jobRun {
	JobsOf(c.Data).Trim(tx, c.Now())
	r := newJobRun(c.Service, c.Data, j, c.Operation)
	r.keep(tx, j)
	return r
}

// newJobRun returns a run of a job that has not started. The operation is the one that begins such
// jobs.
func newJobRun(s *serve.Service, a *serve.Account, j *Job, operation *serve.Operation) *jobRun {
	r := &jobRun{
		account: a, begun: j, job: j, settled: make(chan struct{}), parts: map[string]string{},
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	by := &j.Beginner
	r.call = &serve.Call{
		Service: s, Store: a.Store, Data: a,
		Owner:     arn.Owner{Account: by.Account, Region: by.Region},
		AccessKey: by.AccessKey, Operation: operation, Form: operation.Form, Ctx: r.ctx,
		Policy: s.Policy.BeginJob(a.PartitionCount().State, by.Caller),
	}
	return r
}

// keep replaces the job's state.
func (r *jobRun) keep(tx *storage.Tx, j *Job) {
	s := JobsOf(r.account)
	s.Keep(tx, j)
	if s.running == nil {
		s.running = map[string]*jobRun{}
	}
	s.running[j.Key()] = r
	r.job = j
}

// start runs a job and waits a moment for its end.
func (r *jobRun) start(c *serve.Call, work func() error) {
	r.launch(work)
	r.await(c.Ctx)
}

// launch runs a job in the background. The job ends when work returns.
func (r *jobRun) launch(work func() error) {
	run := &serve.Run{Account: r.account, Stop: r.stop, Settle: r.settle}
	r.call.Service.Runs.Start(run, func() { r.run(work) })
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
	return r.call.Service.Sleep(r.ctx, d)
}

// run does the work and ends the job.
func (r *jobRun) run(work func() error) {
	err := r.call.Service.Recovering("the job "+r.begun.Key(), work)
	if r.call.Policy != nil {
		r.call.Policy.Finish(nil) // each write has settled its own findings
	}
	if err != nil && r.abandoned() {
		r.rest()
		return // the account is gone or the service closes: the job ends as an orphan
	}
	if err != nil && err != serve.ErrPanic && failureOf(err).code == unknownFailure {
		r.call.Service.Logger.Error("a job has failed", slog.String("job", r.begun.Key()),
			slog.Any("error", err))
	}
	if err := r.end(err); err != nil {
		r.call.Service.Logger.Error("the end of a job could not be kept",
			slog.String("job", r.begun.Key()), slog.Any("error", err))
	}
}

// abandoned reports whether the job was stopped, but not by a request to cancel it.
func (r *jobRun) abandoned() (abandoned bool) {
	r.account.Store.View(func(*storage.Tx) error {
		abandoned = r.ctx.Err() != nil && r.job.Status != jobCancelling
		return nil
	})
	return abandoned
}

// end replaces the job by its final state.
func (r *jobRun) end(err error) error {
	return r.account.Store.Update(func(tx *storage.Tx) error {
		now := r.call.Now()
		j := *r.job
		switch {
		case j.Status == jobCancelling:
			j.Status = jobCancelled
			j.FailureCode, j.FailureMessage = "Cancelled", "The operation was cancelled"
		case err != nil:
			f := failureOf(err)
			j.Status, j.FailureCode, j.FailureMessage = JobFailed, f.code, f.message
		case j.Kind == bulkJob && j.Errors > 0:
			j.Status = jobWithErrors
		case j.Kind == importJob && j.Errors > 0:
			j.Status, j.FailureCode, j.FailureMessage =
				JobFailed, errImportItems.code, errImportItems.message
		default:
			j.Status = jobCompleted
		}
		ended := j.Started.Time().Add(r.call.Delays().Create)
		if ended.Before(now) {
			ended = now
		}
		j.Ended = storage.InstantOf(ended)
		releaseImported(tx, &j, ended)
		JobsOf(r.account).Keep(tx, &j)
		serve.AttemptsOf(r.account).GotOn(tx, j.Key())
		delete(JobsOf(r.account).running, j.Key())
		r.job = &j
		for key := range r.parts {
			tx.Forget(serve.JobState.Prefix() + key)
		}
		return nil
	})
}

// releaseImported makes the table of an import ACTIVE from a time on.
func releaseImported(tx *storage.Tx, j *Job, from time.Time) {
	if j.Kind != importJob {
		return
	}
	if t := tx.Table(j.Table); t != nil && t.ID == j.TableID {
		release(tx, t, from)
	}
}

// release ends the state CREATING of the table of an import at a time.
func release(tx *storage.Tx, t *storage.Table, at time.Time) {
	s := tables.SettingsOf(tx, t).Clone()
	s.State.Until = at
	tx.Tables().SetSettings(t, s)
}

// errOrphan is the failure of a job that nobody runs.
var errOrphan = &jobFailure{"Interrupted",
	"The server that ran the operation has stopped and cannot go on with it, or this is a fork of it"}

// errEndsProcesses is the failure of a job that another process shall not take up again.
var errEndsProcesses = &jobFailure{"Interrupted", serve.OverText("the operation")}

// orphaned returns the failure of a job that nobody runs.
func orphaned(a *serve.Account, j *Job) *jobFailure {
	if serve.AttemptsOf(a).Over(j.Key()) {
		return errEndsProcesses
	}
	return errOrphan
}

// endOrphans fails the jobs that nobody runs: those of a fork's original, and those of another
// process that cannot go on. What they have written stays.
func endOrphans(a *serve.Account, clock func() time.Time) {
	orphans := JobsOf(a).List(
		func(j *Job) bool { return j.unfinished() && JobsOf(a).running[j.Key()] == nil })
	if len(orphans) == 0 {
		return
	}
	now := clock()
	a.Store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, orphan := range orphans {
			j := *orphan
			j.Status, j.Ended = JobFailed, storage.InstantOf(now)
			f := orphaned(a, &j)
			j.FailureCode, j.FailureMessage = f.code, f.message
			releaseImported(tx, &j, now)
			JobsOf(a).Keep(tx, &j)
			serve.AttemptsOf(a).GotOn(tx, j.Key())
			for key := range JobsOf(a).parts[j.Key()] {
				tx.Forget(serve.JobState.Prefix() + key)
			}
		}
		return nil
	})
}
