package permit

import (
	"reflect"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// errSeveralAccounts is the error of a request for tables of several accounts (API Reference,
// TransactWriteItems: "not in different AWS accounts or Regions").
var errSeveralAccounts = apierr.BadParameter("All tables of a request must be in the same account")

// Authorize checks that the caller has the permissions that a request needs. If the request names
// resources of another account, the rest of the call works with the data of that account. Without
// WithIAM everybody may do everything.
func Authorize(c *serve.Call, in any) error {
	if c.Caller == nil {
		return nil
	}
	needs := accesses(c, in)
	if strings.HasSuffix(c.Operation.Name, "ResourcePolicy") &&
		ownerOf(c, needs[0].Resource) != c.Caller.Account {
		return ErrPolicyOwner
	}
	if err := enter(c, needs); err != nil {
		return err
	}
	for i := range needs {
		err := CheckAt(c, placeOf(c, &needs[i]), &needs[i], in)
		switch {
		case err == nil:
		case c.Operation.Name == "BatchExecuteStatement":
			c.Caller.Deny(needs[i].part, err)
		default:
			return err
		}
	}
	return nil
}

// placeOf returns the account and the region that decide about a permission.
func placeOf(c *serve.Call, need *Access) arn.Owner {
	if need.region == "" {
		return c.Owner
	}
	return c.In(need.region)
}

// CheckAt returns an error if the caller lacks a permission on a resource of an owner.
func CheckAt(c *serve.Call, o arn.Owner, need *Access, in any) error {
	if o == c.Owner {
		return check(c, need, in)
	}
	return c.At(o, func(there *serve.Call) error { return check(there, need, in) })
}

// Everything returns an error if the caller lacks the permission of an action on all resources,
// "*". The action has the name of its service: "dax:CreateCluster".
func Everything(c *serve.Call, action string) error {
	if c.Caller == nil {
		return nil
	}
	none := func(string) []string { return nil }
	return decide(c, &iam.Request{Action: action, Resource: "*", Owner: c.Caller.Account,
		Context: none})
}

// check returns an error if the caller lacks a permission.
func check(c *serve.Call, need *Access, in any) error {
	context := &accessContext{Access: need, call: c, in: reflect.ValueOf(in).Elem()}
	return decide(c, &iam.Request{
		Action:   "dynamodb:" + need.Action,
		Resource: need.Resource,
		Owner:    ownerOf(c, need.Resource),
		Attached: attached(c, need),
		Context:  context.values,
	})
}

// decide returns an error if the caller may not do what r says.
func decide(c *serve.Call, r *iam.Request) error {
	r.Principal, r.Partition = c.Caller.Principal, c.Partition()
	d := iam.Decide(r)
	if c.Event != nil {
		c.Event.Access = append(c.Event.Access,
			observe.EventAccess{
				Action: r.Action, Resource: strings.Clone(r.Resource), Decision: d,
			})
	}
	if d.Allowed {
		return nil
	}
	return &apierr.Error{Type: apierr.AccessDenied,
		Message: "User: " + c.CallerARN() + " is not authorized to perform: " + r.Action +
			" on resource: " + r.Resource + " " + d.Reason(r.Action)}
}

// ownerOf returns the account of a resource: that of its ARN, or the caller's.
func ownerOf(c *serve.Call, resource string) string {
	if part := strings.SplitN(resource, ":", 6); len(part) == 6 && serve.ValidAccount(part[4]) {
		return part[4]
	}
	return c.Caller.Account
}

// enter points the call to the data of the account of the resources, if that is another account
// than the caller's, and the operation reaches it.
func enter(c *serve.Call, needs []Access) error {
	owner := ownerOf(c, needs[0].Resource)
	for i := range needs {
		if ownerOf(c, needs[i].Resource) != owner {
			return errSeveralAccounts
		}
	}
	if owner == c.Caller.Account || c.Operation.Reach != catalog.Accounts ||
		!c.Service.IAM.HasAccount(owner) {
		return nil
	}
	c.Account = strings.Clone(owner)
	there := c.Service.Namespaces.BorrowOf(c.Account, c.Region)
	c.Caller.Visited, c.Data = there, there
	c.Store = there.Store
	c.Policy.Visit(there.PartitionCount().State)
	return nil
}
