package definition

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// Table is a table that a file defines. What a file does not say is nil.
type Table struct {
	Place    string // file, line and resource
	Region   string // "" is that of Values
	Create   dynamodb.CreateTableInput
	TTL      *types.TimeToLiveSpecification
	Recovery *types.PointInTimeRecoverySpecification
	Insights []Insights
	Kinesis  *Kinesis
	Replicas []string // regions, without the one of the table
	// Overrides has what replicas have in place of what the table has. Elsewhere has their other
	// settings, which NewReplicaPlan takes: a Table with the replica's Region and neither keys,
	// indexes nor capacity.
	Overrides []types.CreateReplicationGroupMemberAction
	Elsewhere []Table
	Strong    bool   // the replicas are consistent
	Witness   string // the region of the witness of strong replicas, or ""
	Scaling   *dynamodb.UpdateTableReplicaAutoScalingInput
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

func (n Note) String() string { return budget.Excerpt(n.Place + ": " + n.Message) }

// Values has the values that the definitions depend on.
type Values struct {
	Parameters map[string]string // template parameters, Terraform variables, Serverless options
	Region     string
	Account    string
	Stack      string // the name of the stack; "" is the name of the file
	Env        func(name string) (string, bool)
}

// reader collects what the files define.
type reader struct {
	Values
	ctx    context.Context
	budget *budget.Budget
	levels int
	lines  lines
	tables []Table
	notes  []Note
	nested map[string]any // the parameters that a stack gives to one within it
	within []string       // the files of those stacks

	output output // the output of the template that was read last
	home   string // the region of the command

	// assets are the files of the CDK's assets by their hashes, of each directory.
	assets map[string]map[string]string

	generated map[string]bool // names of tables that no file gives
	lost      map[string]bool // arguments of Terraform that could not be resolved, by their paths
}

// output returns the value of an output of a template.
type output func(name string) (any, error)

func newReader(ctx context.Context, v Values) *reader {
	return &reader{Values: v, ctx: ctx, budget: budget.New(ctx, limits), lines: lines{},
		home: v.Region, generated: map[string]bool{}, lost: map[string]bool{},
		assets: map[string]map[string]string{}}
}

// maxLevels is how many values may be within each other when they are evaluated.
const maxLevels = 1000

// enter counts a value that is within others, until leave.
func (r *reader) enter() error {
	if r.levels >= maxLevels {
		return fmt.Errorf("more than %d levels, in %s", maxLevels, r.budget.Place())
	}
	err := r.budget.Step()
	if err == nil {
		r.levels++
	}
	return err
}

func (r *reader) leave() { r.levels-- }

func (r *reader) note(at place, format string, args ...any) {
	r.notes = append(r.notes, Note{Place: at.String(), Message: fmt.Sprintf(format, args...)})
}

// leaveOut notes that a table is left out.
func (r *reader) leaveOut(at place, format string, args ...any) {
	r.notes = append(r.notes,
		Note{at.String(), "the table is left out: " + fmt.Sprintf(format, args...), true})
}

// made counts a value that a function returns, with all that is in it: what is in several values
// costs each time when it is written.
func (r *reader) made(v any) error {
	if err := r.budget.Step(); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		return r.budget.Bytes(int64(len(v)))
	case []any:
		for _, element := range v {
			if err := r.made(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range v {
			if err := r.made(member); err != nil {
				return err
			}
		}
	}
	return nil
}
