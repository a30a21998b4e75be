package emulator

import (
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// resume goes on with the jobs of a journal that were in progress. An export begins again, with
// the same content and objects. An import or bulk put goes on after the last record whose outcome
// was kept. Jobs that cannot go on have failed.
func (runs *jobRuns) resume(a *accountData) {
	s, sv := a.jobs(), runs.service
	for _, j := range s.list(func(j *job) bool { return j.unfinished() && j.Starts >= maxStarts }) {
		sv.logger.Error("an operation is given up: the server ended each time it went on with it",
			slog.String("job", j.key()), slog.Int64("starts", j.Starts))
	}
	found := s.list((*job).resumable)
	slices.Reverse(found) // the first begins first
	taken := sv.takeUp(a, found)
	endOrphans(a, sv.clock)
	s.parts = nil
	for _, r := range taken {
		sv.logger.Info("an operation that was interrupted goes on",
			slog.String("job", r.begun.key()), slog.Int64("records", r.begun.Processed))
		r.launch(r.resume)
	}
}

// takeUp makes the runs that go on with jobs of the journal. It first keeps that this process has
// taken them up, for the case that one of them ends the process.
func (sv *service) takeUp(a *accountData, jobs []*job) (taken []*jobRun) {
	if len(jobs) == 0 {
		return nil
	}
	a.countKeys(sv.guard)
	a.store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, old := range jobs {
			j := *old
			j.Starts++
			r := sv.newJobRun(a, &j, sv.operation(j.Kind.operationName()))
			maps.Copy(r.parts, a.jobs().parts[j.key()])
			r.keep(tx, &j)
			taken = append(taken, r)
		}
		return nil
	})
	return taken
}

// rest keeps that the job was stopped, and did not end the process.
func (r *jobRun) rest() {
	r.account.store.Update(func(tx *storage.Tx) error { // a journal that fails has said so
		if j := *r.job; j.Starts > 0 && r.account.jobs().running[j.key()] == r {
			j.Starts = 0
			r.keep(tx, &j)
		}
		return nil
	})
}

// resume does what is left of the work.
func (r *jobRun) resume() error {
	if r.begun.Status == jobCancelling {
		return nil
	}
	err := r.resumeKind()
	if e := apierr.As(err); e != nil && !errors.As(err, new(*jobFailure)) {
		return &jobFailure{e.Type.Name, e.Message}
	}
	return err
}

func (r *jobRun) resumeKind() error {
	switch r.begun.Kind {
	case exportJob:
		return r.resumeExport()
	case importJob:
		return r.resumeImport()
	}
	x := &bulkRun{jobRun: r, in: requestOf[api.StartBulkPutItemsInput](r.begun)}
	return x.load()
}

// resumeExport exports the table again, as it was at the same time. The times of changes are in
// milliseconds: what was written in the one in which the export began, but later, is in it now.
func (r *jobRun) resumeExport() error {
	in := requestOf[api.ExportTableToPointInTimeInput](r.begun)
	filter, err := newExportFilter(in.FilterSpecification)
	if err != nil {
		return err
	}
	x := &exportRun{jobRun: r, in: in, filter: filter}
	err = r.account.store.Update(func(tx *storage.Tx) error {
		t := tx.Table(r.begun.Table)
		if t == nil || t.ID != r.begun.TableID {
			return errJobTable
		}
		x.key = &t.Key
		return x.open(r.call, tx, t, r.begun.Time.Time())
	})
	if err != nil {
		return err
	}
	return x.write()
}

// resumeImport goes on with an import. Its table may not exist yet.
func (r *jobRun) resumeImport() error {
	in := requestOf[api.ImportTableInput](r.begun)
	create := createTableOf(in.TableCreationParameters)
	settings, err := r.call.newSettings(create, r.call.now())
	if err != nil {
		return err
	}
	x := &importRun{jobRun: r, in: in, create: create, settings: settings}
	return x.load()
}
