package design

import "fmt"

// position is a key position: 0 and 1 are the partition and the sort key of the table, 2+2i and
// 3+2i those of global index i, and those of the local indexes follow after the last possible
// global one.
type position int

// The key positions of the table.
const (
	tablePartition position = 0
	tableSort      position = 1
)

// partitionOf returns the position of the partition key of a global index, and sortOf that of its
// sort key.
func partitionOf(index int) position { return position(2 + 2*index) }

func sortOf(index int) position { return position(3 + 2*index) }

// String is the position's name in the names of columns.
func (at position) String() string {
	kind := "PK"
	if at%2 == 1 {
		kind = "SK"
	}
	switch {
	case at < 2:
		return kind
	case at.local():
		return fmt.Sprintf("LSI%d%s", (at-localPositions)/2+1, kind)
	}
	return fmt.Sprintf("GSI%d%s", at/2, kind)
}

// maxLocal is how many local secondary indexes a table has at most (Developer Guide, "Quotas in
// Amazon DynamoDB").
const maxLocal = 5

// localPositions is the first position of local indexes: 2i and 1+2i after it are those of local
// index i.
const localPositions = position(2 + 2*maxIndexes)

// localPartition returns the position of the partition key of a local index, and localSort that of
// its sort key.
func localPartition(index int) position { return localPositions + position(2*index) }

func localSort(index int) position { return localPositions + position(2*index+1) }

// local reports whether a position is in the key of a local index.
func (at position) local() bool { return at >= localPositions }
