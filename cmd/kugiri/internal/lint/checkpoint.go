package lint

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// checkpoint is the state of a run, from which another run can continue.
type checkpoint struct {
	Policy   string        `json:"policy"` // the policy of the run
	Source   string        `json:"source"` // the endpoint of the tables
	Segments int           `json:"segments"`
	Tables   []*tableRun   `json:"tables"`
	Groups   []*Group      `json:"groups"`
	State    *policy.State `json:"state"`
}

// tableRun is the progress of a run in a table.
type tableRun struct {
	Name     string        `json:"name"`
	Items    int64         `json:"items"`
	Segments []*segmentRun `json:"segments"`

	// Documents holds the documents of a table with latest items, by their ids.
	Documents map[string]*documentRun `json:"documents,omitempty"`
	// Overflow says that there were more than maxDocuments.
	Overflow bool `json:"overflow,omitempty"`
	// NoTTL says why the endpoint does not describe the TTL.
	NoTTL    string `json:"noTTL,omitempty"`
	Finished bool   `json:"finished"`
}

// documentRun says how much of a document a run has seen.
type documentRun struct {
	// Latest is the latest item, if the run has seen it: its key, and the attribute that names its
	// version.
	Latest json.RawMessage `json:"latestItem,omitempty"`
	// Version is the key of the newest version that the run has seen.
	Version json.RawMessage `json:"version,omitempty"`
}

// maxDocuments limits the documents of a table for which a run looks for a latest item.
const maxDocuments = 100_000

type segmentRun struct {
	Last json.RawMessage `json:"last,omitempty"` // LastEvaluatedKey
	Done bool            `json:"done"`

	// Versions is the state of the item whose versions are being read.
	Versions policy.Versions `json:"versions"`
}

// resume reads the checkpoint. It returns nil without one.
func (l *Linter) resume() (*checkpoint, error) {
	if l.Resume == "" {
		return nil, nil
	}
	c := &checkpoint{State: l.Policy.NewState()}
	if found, err := transfer.ReadState(l.Resume, c); err != nil || !found {
		return nil, err
	}
	if c.Policy != l.PolicyID {
		return nil, fmt.Errorf("%s is of a run with another policy: remove it to begin anew",
			l.Resume)
	}
	if c.Source != l.Source {
		return nil, fmt.Errorf("%s is of a run at %s: remove it to begin anew", l.Resume, c.Source)
	}
	if err := c.check(l.Resume); err != nil {
		return nil, err
	}
	for _, t := range c.Tables {
		if !slices.Contains(l.Tables, t.Name) {
			return nil, fmt.Errorf("%s is of a run that looks at %s, too: remove it to begin anew",
				l.Resume, t.Name)
		}
	}
	return c, nil
}

// check refuses a checkpoint that no run can have written.
func (c *checkpoint) check(file string) error {
	if c.Segments < 1 || c.Segments > 1000 || c.State == nil {
		return fmt.Errorf("%s is not a checkpoint to resume from", file)
	}
	for _, t := range c.Tables {
		if t == nil || len(t.Segments) != c.Segments {
			return fmt.Errorf("%s is not a checkpoint to resume from: a table lacks segments", file)
		}
		for _, s := range t.Segments {
			if s == nil {
				return fmt.Errorf("%s is not a checkpoint to resume from: a segment is missing",
					file)
			}
		}
		for _, d := range t.Documents {
			if d == nil {
				return fmt.Errorf("%s is not a checkpoint to resume from: a document is missing",
					file)
			}
		}
	}
	for _, g := range c.Groups {
		if g == nil || len(g.Examples) == 0 {
			return fmt.Errorf("%s is not a checkpoint to resume from: a finding is missing", file)
		}
	}
	return nil
}

// save writes a checkpoint.
func (l *Linter) save(c *checkpoint) error {
	if l.Resume == "" {
		return nil
	}
	return transfer.SaveState(l.Resume, c)
}
