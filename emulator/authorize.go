package emulator

import (
	"reflect"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
)

// errSeveralAccounts is the error of a request for tables of several accounts (API Reference,
// TransactWriteItems: "not in different AWS accounts or Regions").
var errSeveralAccounts = apierr.BadParameter("All tables of a request must be in the same account")

// authorize checks that the caller has the permissions that a request needs. If the request names
// resources of another account, the rest of the call works with the data of that account. Without
// WithIAM everybody may do everything.
func authorize(c *call, in any) error {
	if c.caller == nil {
		return nil
	}
	needs := c.accesses(in)
	if strings.HasSuffix(c.operation.Name, "ResourcePolicy") && c.ownerOf(needs[0].resource) != c.caller.Account {
		return errPolicyOwner
	}
	if err := c.enter(needs); err != nil {
		return err
	}
	for i := range needs {
		err := c.checkAt(c.placeOf(&needs[i]), &needs[i], in)
		switch {
		case err == nil:
		case c.operation.Name == "BatchExecuteStatement":
			c.caller.deny(needs[i].part, err)
		default:
			return err
		}
	}
	return nil
}

// placeOf returns the account and the region that decide about a permission.
func (c *call) placeOf(need *access) arn.Owner {
	if need.region == "" {
		return c.Owner
	}
	return c.In(need.region)
}

// checkAt returns an error if the caller lacks a permission on a resource of an owner.
func (c *call) checkAt(o arn.Owner, need *access, in any) error {
	if o == c.Owner {
		return c.check(need, in)
	}
	return c.at(o, func(there *call) error { return there.check(need, in) })
}

// check returns an error if the caller lacks a permission.
func (c *call) check(need *access, in any) error {
	context := &accessContext{access: need, call: c, in: reflect.ValueOf(in).Elem()}
	action := "dynamodb:" + need.action
	r := &iam.Request{
		Principal: c.caller.Principal,
		Partition: c.Partition(),
		Action:    action,
		Resource:  need.resource,
		Owner:     c.ownerOf(need.resource),
		Attached:  c.attached(need),
		Context:   context.values,
	}
	d := iam.Decide(r)
	if c.event != nil {
		c.event.Access = append(c.event.Access, observe.EventAccess{Action: action, Resource: strings.Clone(need.resource), Decision: d})
	}
	if d.Allowed {
		return nil
	}
	return &apierr.Error{Type: apierr.AccessDenied, Message: "User: " + c.callerARN() + " is not authorized to perform: " + action +
		" on resource: " + need.resource + " " + d.Reason(action)}
}

// ownerOf returns the account of a resource: that of its ARN, or the caller's.
func (c *call) ownerOf(resource string) string {
	if part := strings.SplitN(resource, ":", 6); len(part) == 6 && validAccount(part[4]) {
		return part[4]
	}
	return c.caller.Account
}

// enter points the call to the data of the account of the resources, if that is another account
// than the caller's, and the operation reaches it.
func (c *call) enter(needs []access) error {
	owner := c.ownerOf(needs[0].resource)
	for i := range needs {
		if c.ownerOf(needs[i].resource) != owner {
			return errSeveralAccounts
		}
	}
	if owner == c.caller.Account || c.operation.Reach != catalog.Accounts || !c.service.iam.HasAccount(owner) {
		return nil
	}
	c.Account = strings.Clone(owner)
	there := c.service.namespaces.borrowOf(c.Account, c.Region)
	c.caller.visited, c.account = there, there
	c.store = there.store
	c.watch.visit(there.partitionCount().State)
	return nil
}
