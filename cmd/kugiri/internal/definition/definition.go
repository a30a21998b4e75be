package definition

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Table is a table that a file defines. What a file does not say is nil.
type Table struct {
	Place    string // file and resource
	Create   dynamodb.CreateTableInput
	TTL      *types.TimeToLiveSpecification
	Recovery *types.PointInTimeRecoverySpecification
	Insights []Insights
	Kinesis  *Kinesis
	Replicas []string // regions, without the one of the table
	Scaling  *dynamodb.UpdateTableReplicaAutoScalingInput
}

// Insights says whether contributor insights are on for a table or an index.
type Insights struct {
	Index string // "" for the table
	On    bool
	Mode  types.ContributorInsightsMode
}

// Kinesis is the stream that gets a table's changes.
type Kinesis struct {
	StreamARN string
	Precision types.ApproximateCreationDateTimePrecision
}

// Note says what a file defines that a Table does not have, or that could not be resolved.
type Note struct {
	Place   string
	Message string
	LeftOut bool // the whole table is
}

func (n Note) String() string { return n.Place + ": " + n.Message }

// Values are what the definitions depend on.
type Values struct {
	Parameters map[string]string // of a template, variables of Terraform, options of Serverless
	Region     string
	Account    string
	Stack      string // the name of the stack; "" is the name of the file
	Env        func(name string) (string, bool)
}

// reader collects what the files define.
type reader struct {
	Values
	tables []Table
	notes  []Note
}

func (r *reader) note(place, format string, args ...any) {
	r.notes = append(r.notes, Note{Place: place, Message: fmt.Sprintf(format, args...)})
}

// leaveOut notes that a table is left out.
func (r *reader) leaveOut(place, format string, args ...any) {
	r.notes = append(r.notes,
		Note{place, "the table is left out: " + fmt.Sprintf(format, args...), true})
}
