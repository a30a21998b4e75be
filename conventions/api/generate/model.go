package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

// model holds the models of all services without their documentation.
type model struct {
	Operations map[string]operation `json:"operations"`
	Shapes     map[string]*shape    `json:"shapes"`
}

// operation names the shapes of an operation's input and output. Either may be absent.
type operation struct {
	Input  reference `json:"input"`
	Output reference `json:"output"`
}

type reference struct {
	Shape string `json:"shape"`
}

// shape is a type of the model. Min and Max bound the length of a string, list or map, and the
// value of a number.
type shape struct {
	Type     string    `json:"type"`
	Members  members   `json:"members"` // the members of a structure
	Required []string  `json:"required"`
	Member   reference `json:"member"` // the elements of a list
	Key      reference `json:"key"`    // the keys of a map
	Value    reference `json:"value"`
	Min      *int64    `json:"min"`
	Max      *int64    `json:"max"`
	Pattern  string    `json:"pattern"`
	Enum     []string  `json:"enum"`
}

// constrained reports whether a constraint excludes some values of the shape's type.
func (s *shape) constrained() bool {
	return s.Min != nil || s.Max != nil || s.Pattern != "" || s.Enum != nil
}

// members holds the members of a structure, in the order of the model.
type members []member

type member struct{ name, shape string }

// UnmarshalJSON reads a JSON object and keeps the order of its members.
func (ms *members) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil { // the opening brace
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var r reference
		if err := d.Decode(&r); err != nil {
			return err
		}
		*ms = append(*ms, member{name.(string), r.Shape})
	}
	return nil
}

func newModel() *model {
	return &model{Operations: map[string]operation{}, Shapes: map[string]*shape{}}
}

// read adds the model of a service. Shapes of the same name must be equal in all services, because
// they become one Go type.
func (m *model) read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	more := newModel()
	if err := json.Unmarshal(text, more); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for name, o := range more.Operations {
		m.Operations[name] = o
	}
	for name, s := range more.Shapes {
		if known := m.Shapes[name]; known != nil && !reflect.DeepEqual(known, s) {
			return fmt.Errorf("%s: shape %s is another one than in the models before it", file,
				name)
		}
		m.Shapes[name] = s
	}
	return nil
}

// relax removes constraints on tags, new replicas and the ARNs of backups: the service checks them
// by rules of its own (ack-api-quirks, DDB-TABLE-107 and 457, probes of the service).
func (m *model) relax() {
	for _, name := range []string{"Tag", "CreateReplicationGroupMemberAction"} {
		m.Shapes[name].Required = nil
	}
	for _, name := range []string{"TagKeyString", "TagValueString"} {
		m.Shapes[name].Min, m.Shapes[name].Max = nil, nil
	}
	m.Shapes["BackupArn"].Min = nil
}

// extend adds what answers of the service have, but not its public model (service facts V.4.5).
func (m *model) extend() {
	s := m.Shapes["VectorCapacity"]
	s.Members = append(s.Members, member{"VectorSearchUnits", "ConsumedCapacityUnits"})
}
