package definition

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// index returns the global secondary index that the endpoint has, or nil.
func (p *Plan) index(name string) *types.GlobalSecondaryIndexDescription {
	for i := range p.now.table.GlobalSecondaryIndexes {
		if ix := &p.now.table.GlobalSecondaryIndexes[i]; *ix.IndexName == name {
			return ix
		}
	}
	return nil
}

// keptIndexes returns the global secondary indexes that are as the file has them.
func (p *Plan) keptIndexes() map[string]bool {
	kept := map[string]bool{}
	for _, ix := range p.Table.Create.GlobalSecondaryIndexes {
		name := aws.ToString(ix.IndexName)
		there := p.index(name)
		kept[name] = there != nil && slices.EqualFunc(ix.KeySchema, there.KeySchema, sameKey) &&
			sameProjection(ix.Projection, there.Projection)
	}
	return kept
}

func (p *Plan) dropIndexes(kept map[string]bool) {
	for _, ix := range p.now.table.GlobalSecondaryIndexes {
		if !kept[*ix.IndexName] {
			p.update("delete the index "+*ix.IndexName, &dynamodb.UpdateTableInput{
				GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
					{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: ix.IndexName}}},
			})
		}
	}
}

func (p *Plan) createIndexes(kept map[string]bool) {
	for _, ix := range p.Table.Create.GlobalSecondaryIndexes {
		if kept[aws.ToString(ix.IndexName)] {
			continue
		}
		p.update("create the index "+aws.ToString(ix.IndexName), &dynamodb.UpdateTableInput{
			AttributeDefinitions: p.Table.Create.AttributeDefinitions,
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
				ProvisionedThroughput: ix.ProvisionedThroughput,
				OnDemandThroughput:    ix.OnDemandThroughput, WarmThroughput: ix.WarmThroughput}}},
		})
	}
}

// indexCapacity compares the maximum and the warm throughput of an index that the table keeps.
func (p *Plan) indexCapacity(want *types.GlobalSecondaryIndex, provisioned bool) {
	have := p.index(*want.IndexName)
	update := func(change string, to types.UpdateGlobalSecondaryIndexAction) {
		to.IndexName = want.IndexName
		p.update(change+" of the index "+*want.IndexName, &dynamodb.UpdateTableInput{
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Update: &to}}})
	}
	if d := want.OnDemandThroughput; d != nil && !provisioned &&
		!reflect.DeepEqual(d, have.OnDemandThroughput) {
		update("change the maximum throughput",
			types.UpdateGlobalSecondaryIndexAction{OnDemandThroughput: d})
	}
	if w, now := want.WarmThroughput, have.WarmThroughput; w != nil &&
		(now == nil || warmer(w, now.ReadUnitsPerSecond, now.WriteUnitsPerSecond)) {
		update("raise the warm throughput",
			types.UpdateGlobalSecondaryIndexAction{WarmThroughput: w})
	}
}

// vectorIndexes compares the vector indexes that the file has. Others stay, because Terraform and
// serverless.yml cannot have them.
func (p *Plan) vectorIndexes() {
	for i := range p.Table.Create.VectorIndexes {
		want := &p.Table.Create.VectorIndexes[i]
		name := aws.ToString(want.IndexName)
		at := slices.IndexFunc(p.now.table.VectorIndexes,
			func(ix types.VectorIndexDescription) bool { return *ix.IndexName == name })
		if at >= 0 && sameVectorIndex(want, &p.now.table.VectorIndexes[at]) {
			continue
		}
		if at >= 0 {
			p.update("delete the vector index "+
				name, &dynamodb.UpdateTableInput{VectorIndexUpdates: []types.VectorIndexUpdate{
				{Delete: &types.DeleteVectorIndexAction{IndexName: want.IndexName}}}})
		}
		p.update("create the vector index "+name, &dynamodb.UpdateTableInput{
			AttributeDefinitions: p.Table.Create.AttributeDefinitions,
			VectorIndexUpdates: []types.VectorIndexUpdate{{Create: &types.CreateVectorIndexAction{
				IndexName: want.IndexName, VectorAttribute: want.VectorAttribute,
				SearchSchema: want.SearchSchema,
				Projection:   want.Projection, Dimensions: want.Dimensions,
				DistanceFunction: want.DistanceFunction}}},
		})
	}
}

func sameVectorIndex(want *types.VectorIndex, have *types.VectorIndexDescription) bool {
	return reflect.DeepEqual(want.VectorAttribute, have.VectorAttribute) &&
		sameProjection(want.Projection, have.Projection) &&
		slices.EqualFunc(want.SearchSchema, have.SearchSchema, sameSearch) &&
		aws.ToInt64(want.Dimensions) == aws.ToInt64(have.Dimensions) &&
		want.DistanceFunction == have.DistanceFunction
}

func sameSearch(a, b types.SearchSchemaElement) bool {
	return aws.ToString(a.AttributeName) == aws.ToString(b.AttributeName) &&
		a.SearchSchemaElementType == b.SearchSchemaElementType
}
