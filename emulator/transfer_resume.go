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
// was kept. Jobs of older versions do not say who began them, and have failed.
func (runs *jobRuns) resume(a *accountData) {
	s, sv := a.jobs(), runs.service
	found := s.list(func(j *job) bool { return j.unfinished() && j.Beginner.Region != "" })
	slices.Reverse(found) // the first begins first
	var taken []*jobRun
	for _, j := range found {
		taken = append(taken, sv.takeUp(a, j))
	}
	endOrphans(a, sv.clock)
	s.parts = nil
	for _, r := range taken {
		sv.logger.Info("an operation that was interrupted goes on",
			slog.String("job", r.begun.key()), slog.Int64("records", r.begun.Processed))
		r.launch(r.resume)
	}
}

// operation returns the operation that begins jobs of the kind.
func (k jobKind) operation(s *service) *operation {
	name := map[jobKind]string{exportJob: "ExportTableToPointInTime", importJob: "ImportTable", bulkJob: "StartBulkPutItems"}[k]
	return s.operation(name)
}

// takeUp makes the run that goes on with a job of the journal.
func (sv *service) takeUp(a *accountData, j *job) *jobRun {
	a.countKeys(sv.guard)
	s, r := a.jobs(), sv.newJobRun(a, j, j.Kind.operation(sv))
	maps.Copy(r.parts, s.parts[j.key()])
	if s.running == nil {
		s.running = map[string]*jobRun{}
	}
	s.running[j.key()] = r
	return r
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
