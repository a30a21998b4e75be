package jobs

import (
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Resume goes on with the jobs of a journal that were in progress. An export begins again, with
// the same content and objects. An import or bulk put goes on after the last record whose outcome
// was kept. Jobs that cannot go on have failed.
func Resume(sv *serve.Service, a *serve.Account) {
	s := JobsOf(a)
	for _, key := range slices.Sorted(slices.Values(s.damaged)) {
		sv.Logger.Error(
			"the record of an operation is damaged: it is left out, and stays in the data directory",
			slog.String("job", key))
	}
	over := func(j *Job) bool { return serve.AttemptsOf(a).Over(j.Key()) }
	for _, j := range s.List(func(j *Job) bool { return j.unfinished() && over(j) }) {
		sv.Logger.Error("an operation is given up: the server ended each time it went on with it",
			slog.String("job", j.Key()), slog.Int("starts", serve.MaxAttempts))
	}
	found := s.List(func(j *Job) bool { return j.resumable() && !over(j) })
	slices.Reverse(found) // the first begins first
	taken := takeUp(sv, a, found)
	endOrphans(a, sv.Clock)
	releaseForsaken(sv, a)
	s.parts = nil
	for _, r := range taken {
		sv.Logger.Info("an operation that was interrupted goes on",
			slog.String("job", r.begun.Key()), slog.Int64("records", r.begun.Processed))
		r.launch(r.resume)
	}
}

// releaseForsaken makes the tables of imports ACTIVE whose job is not there, because its record is
// damaged: nothing else would end their state CREATING, in which nobody can delete them.
func releaseForsaken(sv *serve.Service, a *serve.Account) {
	loading := map[string]bool{} // the IDs of tables with an import
	for _, j := range JobsOf(a).List((*Job).unfinished) {
		loading[j.TableID] = true
	}
	var forsaken []string
	a.Store.View(func(tx *storage.Tx) error { // this cannot fail
		for _, name := range tx.Tables().Names() {
			t := tx.Table(name)
			if s := tables.SettingsOf(tx, t); s.State.Until.Equal(untilReleased) && !loading[t.ID] {
				forsaken = append(forsaken, name)
			}
		}
		return nil
	})
	if forsaken == nil {
		return
	}
	a.Store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, name := range forsaken {
			release(tx, tx.Table(name), sv.Clock())
		}
		return nil
	})
	for _, name := range forsaken {
		sv.Logger.Error("a table has what its import had loaded: the record of the import is damaged",
			slog.String("table", name))
	}
}

// takeUp makes the runs that go on with jobs of the journal. It first keeps that this process has
// taken them up, for the case that one of them ends the process.
func takeUp(sv *serve.Service, a *serve.Account, jobs []*Job) (taken []*jobRun) {
	if len(jobs) == 0 {
		return nil
	}
	a.CountKeys(sv.Policy)
	a.Store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, old := range jobs {
			j := *old
			serve.AttemptsOf(a).Begin(tx, j.Key())
			r := newJobRun(sv, a, &j, sv.Operation(j.Kind.operationName()))
			maps.Copy(r.parts, JobsOf(a).parts[j.Key()])
			r.keep(tx, &j)
			taken = append(taken, r)
		}
		return nil
	})
	return taken
}

// rest keeps that the job was stopped, and did not end the process.
func (r *jobRun) rest() {
	r.account.Store.Update(func(tx *storage.Tx) error { // a journal that fails has said so
		if key := r.job.Key(); JobsOf(r.account).running[key] == r {
			serve.AttemptsOf(r.account).GotOn(tx, key)
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
	err = r.account.Store.Update(func(tx *storage.Tx) error {
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
	settings, err := control.NewSettings(r.call, create, r.call.Now())
	if err != nil {
		return err
	}
	x := &importRun{jobRun: r, in: in, create: create, settings: settings}
	return x.load()
}
