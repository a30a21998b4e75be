package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDescribeLimits(t *testing.T) {
	assert.JSONEq(t, `{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,
		"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}`,
		newTableTest(t).ok("DescribeLimits", `{}`))
}

func TestDescribeEndpoints(t *testing.T) {
	assert.JSONEq(t,
		`{"Endpoints":[{"Address":"dynamodb.us-east-1.amazonaws.com","CachePeriodInMinutes":1440}]}`,
		newTableTest(t).ok("DescribeEndpoints", `{}`))
}
