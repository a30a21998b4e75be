package arn

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHasPeer(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"us-east-1", "eu-west-1", true},
		{"us-east-1", "us-wst-2", false},
		{"us-east-1", "cn-north-1", false},
		{"cn-north-1", "cn-northwest-1", true},
		{"us-gov-east-1", "us-gov-west-1", true},
		{"local", "us-west-2", true},
		{"us-west-2", "local", false},
	} {
		assert.Equal(t, c.want, Owner{Region: c.from}.HasPeer(c.to), "%s to %s", c.from, c.to)
	}
}

func TestARNPartition(t *testing.T) {
	for region, want := range map[string]string{
		"us-east-1":     "arn:aws:dynamodb:us-east-1:000000000000:table/abc",
		"cn-north-1":    "arn:aws-cn:dynamodb:cn-north-1:000000000000:table/abc",
		"us-gov-west-1": "arn:aws-us-gov:dynamodb:us-gov-west-1:000000000000:table/abc",
	} {
		assert.Equal(t, want, Owner{Account: "000000000000", Region: region}.TableARN("abc"))
	}
}
