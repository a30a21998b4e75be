package jobs

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// mostBulkOperations is the number of operations in a page if the request sets no limit (API
// Reference, ListBulkOperations, MaxResults).
const mostBulkOperations = 10

// ListBulkOperations lists bulk operations, the latest first.
func ListBulkOperations(c *serve.Call,
	in *api.ListBulkOperationsInput) (*api.ListBulkOperationsOutput, error) {
	after := ""
	if in.NextToken != nil {
		var err error
		if after, err = jobOfPageToken(string(*in.NextToken)); err != nil {
			return nil, err
		}
	}
	limit := mostBulkOperations
	if in.MaxResults != nil {
		limit = int(*in.MaxResults)
	}
	out := &api.ListBulkOperationsOutput{BulkOperationsSummaryList: []api.BulkOperationSummary{}}
	last := listJobs(c, bulkJob, jobsOfTable{}, after, limit, func(j *Job) {
		s := api.BulkOperationSummary{
			BulkOperationArn:    api.Ref(api.BulkOperationArn(j.arn(c.Owner))),
			BulkOperationStatus: api.Ref(api.BulkOperationStatus(j.statusAt(c.Now()))),
			StartTime:           tables.Timestamp(j.Started.Time()),
		}
		if j.overAt(c.Now()) {
			s.EndTime = tables.Timestamp(j.Ended.Time())
		}
		out.BulkOperationsSummaryList = append(out.BulkOperationsSummaryList, s)
	})
	if last != nil {
		out.NextToken = api.Ref(api.BulkOperationNextToken(pageTokenOf(last)))
	}
	return out, nil
}
