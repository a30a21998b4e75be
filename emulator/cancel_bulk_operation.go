package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// cancelBulkOperation stops a bulk put. What it has written stays.
func cancelBulkOperation(c *call, in *api.CancelBulkOperationInput) (*api.CancelBulkOperationOutput, error) {
	var run *jobRun
	err := c.store.Update(func(tx *storage.Tx) error {
		j, err := c.bulkOperation(*in.BulkOperationArn)
		if err != nil {
			return err
		}
		if run = c.account.jobs().running[j.key()]; run == nil {
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

func cancelBulkOperationTargets(in *api.CancelBulkOperationInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.BulkOperationArn)})
}
