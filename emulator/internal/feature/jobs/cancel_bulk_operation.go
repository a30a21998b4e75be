package jobs

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// CancelBulkOperation stops a bulk put. What it has written stays.
func CancelBulkOperation(c *serve.Call,
	in *api.CancelBulkOperationInput) (*api.CancelBulkOperationOutput, error) {
	var run *jobRun
	err := c.Store.Update(func(tx *storage.Tx) error {
		j, err := bulkOperation(c, *in.BulkOperationArn)
		if err != nil {
			return err
		}
		if run = JobsOf(c.Data).running[j.Key()]; run == nil {
			return apierr.Invalid("The bulk operation is not in progress: %s", *in.BulkOperationArn)
		}
		cancelling := *j
		cancelling.Status = jobCancelling
		run.keep(tx, &cancelling)
		return nil
	})
	if err != nil {
		return nil, err
	}
	run.stop()
	return &api.CancelBulkOperationOutput{
		BulkOperationArn:    api.Clone(in.BulkOperationArn),
		BulkOperationStatus: api.Ref(api.BulkOperationStatus(jobCancelling)),
	}, nil
}

func CancelBulkOperationTargets(in *api.CancelBulkOperationInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.BulkOperationArn)})
}
