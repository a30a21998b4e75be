package search

import (
	"cmp"
	"encoding/json"
	"strings"
)

// streamFootprint returns the footprint of a request for a stream, or nil for other requests.
func streamFootprint(operation string, body []byte) *footprint {
	switch operation {
	case "DescribeStream", "GetShardIterator", "GetRecords":
	case "ListStreams":
		return &footprint{reads: true}
	default:
		return nil
	}
	var in struct{ StreamArn, ShardIterator string }
	if json.Unmarshal(body, &in) != nil {
		return &footprint{reads: true}
	}
	_, rest, _ := strings.Cut(cmp.Or(in.StreamArn, in.ShardIterator), ":table/")
	table, _, found := strings.Cut(rest, "/stream/")
	if !found {
		return &footprint{reads: true}
	}
	return &footprint{ranges: []reach{{table: table}}}
}
