package arn

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARNPartition(t *testing.T) {
	for region, want := range map[string]string{
		"us-east-1":     "arn:aws:dynamodb:us-east-1:000000000000:table/abc",
		"cn-north-1":    "arn:aws-cn:dynamodb:cn-north-1:000000000000:table/abc",
		"us-gov-west-1": "arn:aws-us-gov:dynamodb:us-gov-west-1:000000000000:table/abc",
	} {
		assert.Equal(t, want, Owner{Account: "000000000000", Region: region}.TableARN("abc"))
	}
}
