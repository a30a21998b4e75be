package endpoint

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Creation returns the input of the CreateTable request that makes an equal table.
func Creation(t *types.TableDescription) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:                 t.TableName,
		KeySchema:                 t.KeySchema,
		AttributeDefinitions:      t.AttributeDefinitions,
		BillingMode:               types.BillingModeProvisioned,
		DeletionProtectionEnabled: t.DeletionProtectionEnabled,
		OnDemandThroughput:        t.OnDemandThroughput,
	}
	if t.BillingModeSummary != nil {
		in.BillingMode = t.BillingModeSummary.BillingMode
	}
	provisioned := in.BillingMode == types.BillingModeProvisioned
	if provisioned {
		in.ProvisionedThroughput = throughput(t.ProvisionedThroughput)
	}
	if t.TableClassSummary != nil {
		in.TableClass = t.TableClassSummary.TableClass
	}
	if s := t.StreamSpecification; s != nil && s.StreamEnabled != nil && *s.StreamEnabled {
		in.StreamSpecification = s
	}
	for _, ix := range t.LocalSecondaryIndexes {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes,
			types.LocalSecondaryIndex{
				IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
			})
	}
	for _, ix := range t.GlobalSecondaryIndexes {
		global := types.GlobalSecondaryIndex{
			IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
			OnDemandThroughput: ix.OnDemandThroughput,
		}
		if provisioned {
			global.ProvisionedThroughput = throughput(ix.ProvisionedThroughput)
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, global)
	}
	for _, ix := range t.VectorIndexes {
		in.VectorIndexes = append(in.VectorIndexes,
			types.VectorIndex{IndexName: ix.IndexName,
				VectorAttribute: ix.VectorAttribute,
				SearchSchema:    ix.SearchSchema, Projection: ix.Projection,
				Dimensions:       ix.Dimensions,
				DistanceFunction: ix.DistanceFunction})
	}
	return in
}

func throughput(d *types.ProvisionedThroughputDescription) *types.ProvisionedThroughput {
	if d == nil {
		return nil
	}
	return &types.ProvisionedThroughput{
		ReadCapacityUnits: d.ReadCapacityUnits, WriteCapacityUnits: d.WriteCapacityUnits,
	}
}
