package jobs

import (
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeBulkOperation(c *serve.Call,
	in *api.DescribeBulkOperationInput) (*api.DescribeBulkOperationOutput, error) {
	out := new(api.DescribeBulkOperationOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		j, err := bulkOperation(c, *in.BulkOperationArn)
		if err != nil {
			return err
		}
		out.BulkOperationDescription = describeBulkJob(c, tx, j)
		return nil
	})
}

func DescribeBulkOperationTargets(in *api.DescribeBulkOperationInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.BulkOperationArn)})
}

// bulkOperation returns the bulk operation with an ARN, within a View.
func bulkOperation(c *serve.Call, arn api.BulkOperationArn) (*Job, error) {
	table, id, ok, err := parseJobARN(c, bulkJob, string(arn))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, apierr.Invalid(
			"Invalid BulkOperationArn: Invalid ResourceArn provided as input %s", arn)
	}
	if j := knownJob(c, bulkJob, table, id); j != nil {
		return j, nil
	}
	return nil, &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Requested resource not found: Bulk operation: " + string(arn) + " not found",
	}
}

func describeBulkJob(c *serve.Call, tx *storage.Tx, j *Job) *api.BulkOperationDescription {
	in := requestOf[api.StartBulkPutItemsInput](j)
	d := &api.BulkOperationDescription{
		BulkOperationArn:    api.Ref(api.BulkOperationArn(j.arn(c.Owner))),
		BulkOperationStatus: api.Ref(api.BulkOperationStatus(j.statusAt(c.Now()))),
		TableDetails: []api.BulkOperationTableDetail{
			{TableName: api.Ref(api.TableArn(j.Table)), TableId: api.Ref(api.TableId(j.TableID))},
		},
		ClientToken:           optionalText[api.ClientToken](j.Token),
		InputS3Configuration:  in.InputS3Configuration,
		OutputS3Configuration: in.OutputS3Configuration,
		StartTime:             tables.Timestamp(j.Started.Time()),
		ProcessedItemCount:    api.Ref(api.BulkOperationItemCount(j.Processed)),
		FailedItemCount:       api.Ref(api.BulkOperationItemCount(j.Errors)),
		ProcessedInputBytes:   api.Ref(api.ProcessedInputBytes(j.Stored)),
		BulkOperationUsage:    []api.BulkOperationUsage{bulkUsage(c, tx, j)},
		MaxWriteRequestUnits:  in.MaxWriteRequestUnits,
		PerformanceTier:       in.PerformanceTier,
	}
	if d.PerformanceTier == nil {
		d.PerformanceTier = api.Ref(api.BulkOperationPerformanceTier("STANDARD"))
	}
	if j.Total > 0 {
		d.TotalInputBytes = api.Ref(api.TotalInputBytes(j.Total))
	}
	if j.overAt(c.Now()) {
		d.EndTime = tables.Timestamp(j.Ended.Time())
		d.FailureCode, d.FailureMessage = optionalText[string](j.FailureCode), optionalText[string](
			j.FailureMessage)
	}
	return d
}

// bulkUsage returns the bytes that a bulk put has put.
func bulkUsage(c *serve.Call, tx *storage.Tx, j *Job) api.BulkOperationUsage {
	u := api.BulkOperationUsage{
		TableName: api.Ref(api.TableArn(j.Table)), Table: bulkBytes(j.Used[""]),
	}
	total := int64(0)
	t := tx.Table(j.Table)
	for _, name := range slices.Sorted(maps.Keys(j.Used)) {
		total += j.Used[name]
		if name == "" {
			continue
		}
		list := &u.GlobalSecondaryIndexes
		if t != nil {
			if ix := tx.Tables().Index(t, name); ix != nil && ix.Local {
				list = &u.LocalSecondaryIndexes
			}
		}
		*list = append(*list,
			api.Entry[api.BulkOperationBytes]{Key: name, Value: *bulkBytes(j.Used[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(j.Vectors)) {
		bytes := api.BulkOperationVectorBytes{
			BulkPutVectorBytes: api.Ref(api.NonNegativeLongObject(j.Vectors[name])),
		}
		u.VectorIndexes = append(u.VectorIndexes,
			api.Entry[api.BulkOperationVectorBytes]{Key: name, Value: bytes})
	}
	u.BulkPutBytes = api.Ref(api.NonNegativeLongObject(total))
	return u
}

func bulkBytes(n int64) *api.BulkOperationBytes {
	return &api.BulkOperationBytes{BulkPutBytes: api.Ref(api.NonNegativeLongObject(n))}
}
