package accelerators

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// call is a request on its way through an operation.
type call struct {
	*serve.Call
	*request
	*content          // a copy, which the operation may change if it writes
	after    []func() // once the changes are there
}

// operation describes an operation. Its request needs members, with blanks between them.
type operation struct {
	name   string
	writes bool
	needs  string
	run    func(*call) (object, error)
}

var operations = [...]operation{
	{"CreateCluster", true, "ClusterName NodeType ReplicationFactor IamRoleArn", createCluster},
	{"CreateParameterGroup", true, "ParameterGroupName", createParameterGroup},
	{"CreateSubnetGroup", true, "SubnetGroupName SubnetIds", createSubnetGroup},
	{"DecreaseReplicationFactor", true, "ClusterName NewReplicationFactor", decrease},
	{"DeleteCluster", true, "ClusterName", deleteCluster},
	{"DeleteParameterGroup", true, "ParameterGroupName", deleteParameterGroup},
	{"DeleteSubnetGroup", true, "SubnetGroupName", deleteSubnetGroup},
	{"DescribeClusters", false, "", describeClusters},
	{"DescribeDefaultParameters", false, "", describeDefaultParameters},
	{"DescribeEvents", false, "", describeEvents},
	{"DescribeParameterGroups", false, "", describeParameterGroups},
	{"DescribeParameters", false, "ParameterGroupName", describeParameters},
	{"DescribeSubnetGroups", false, "", describeSubnetGroups},
	{"IncreaseReplicationFactor", true, "ClusterName NewReplicationFactor", increase},
	{"ListTags", false, "ResourceName", listTags},
	{"RebootNode", true, "ClusterName NodeId", rebootNode},
	{"TagResource", true, "ResourceName Tags", tagResource},
	{"UntagResource", true, "ResourceName TagKeys", untagResource},
	{"UpdateCluster", true, "ClusterName", updateCluster},
	{"UpdateParameterGroup", true, "ParameterGroupName ParameterNameValues", updateParameterGroup},
	{"UpdateSubnetGroup", true, "SubnetGroupName", updateSubnetGroup},
}

// Operations returns the operations by their targets. It makes them when somebody calls the first.
var Operations = sync.OnceValue(func() map[string]*serve.Operation {
	all := make(map[string]*serve.Operation, len(operations))
	for i := range operations {
		o := &operations[i]
		about := catalog.Operation{Name: o.name, Service: catalog.Accelerator,
			Subject: catalog.Control}
		all[about.Target()] = &serve.Operation{
			Operation: about,
			Serve: func(c *serve.Call, body string, dst []byte) ([]byte, error) {
				out, err := o.serve(c, body)
				if err != nil {
					return dst, err
				}
				return out.append(dst)
			},
		}
	}
	return all
})

var errType = &apierr.Error{Type: apierr.Serialization,
	Message: "A member of the request has another type than the service's"}

// serve decodes a request and runs it.
func (o *operation) serve(c *serve.Call, body string) (out object, err error) {
	q := new(request)
	if err := json.Unmarshal([]byte(body), q); err != nil {
		if errors.As(err, new(*json.UnmarshalTypeError)) {
			return nil, errType
		}
		return nil, item.ErrSyntax
	}
	if err := permit.Everything(c, auth.AcceleratorName+":"+o.name); err != nil {
		return nil, err
	}
	if err := c.Policy.Operate(""); err != nil {
		return nil, err
	}
	if err := o.complete(q); err != nil {
		return nil, err
	}
	x := &call{Call: c, request: q}
	if !o.writes {
		err = c.Store.View(func(*storage.Tx) error { // what it shows is durable
			x.content = of(c.Data).read()
			out, err = o.run(x)
			return err
		})
		return out, err
	}
	err = c.Store.Update(func(tx *storage.Tx) error {
		return of(c.Data).change(tx, c.Now(), func(next *content) error {
			x.content = next
			out, err = o.run(x)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, f := range x.after {
		f()
	}
	return out, nil
}

// complete checks that the members are there which the request needs.
func (o *operation) complete(q *request) error {
	for name := range strings.FieldsSeq(o.needs) {
		member := reflect.ValueOf(q).Elem().FieldByName(name)
		given := !member.IsZero()
		if s, ok := member.Interface().(*string); ok && given {
			given = strings.TrimSpace(*s) != ""
		}
		if !given {
			return badValue("The parameter %s must be provided and must not be blank.", name)
		}
	}
	return nil
}

// Limits of a page (API Reference, DescribeClusters, MaxResults).
const (
	leastResults = 20
	mostResults  = 100
)

// page answers with a page of a list. The token of the next one is a number. Only what is on the
// page is made: a request may name the same thing a million times.
func page[E any](x *call, member string, list []E, show func(E) object) (object, error) {
	most, from := mostResults, 0
	if x.MaxResults != nil {
		if most = *x.MaxResults; most < leastResults || most > mostResults {
			return nil, badValue("MaxResults must be between %d and %d.", leastResults, mostResults)
		}
	}
	if token := text(x.NextToken); token != "" {
		var err error
		if from, err = strconv.Atoi(token); err != nil || from < 1 {
			return nil, badValue("The specified NextToken is not valid.")
		}
	}
	list = list[min(from, len(list)):]
	out := object{}
	if len(list) > most {
		list = list[:most]
		out["NextToken"] = strconv.Itoa(from + most)
	}
	shown := make([]object, len(list))
	for i, one := range list {
		shown[i] = show(one)
	}
	out[member] = shown
	return out, nil
}
