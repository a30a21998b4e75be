package emulator

import (
	"reflect"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// EventAccess is a permission that a request needs, and the decision about it.
type EventAccess struct {
	Action   string // "dynamodb:GetItem"
	Resource string // ARN, or "*"
	iam.Decision
}

// errSeveralAccounts is the error of a request for tables of several accounts (API Reference,
// TransactWriteItems: "not in different AWS accounts or Regions").
var errSeveralAccounts = apierr.BadParameter("All tables of a request must be in the same account")

// authorize checks that the caller has the permissions that a request needs. If the request names
// resources of another account, the rest of the call works with the data of that account. Without
// WithIAM everybody may do everything.
func (c *call) authorize(in any) error {
	if c.principal == nil {
		return nil
	}
	needs := c.accesses(in)
	if strings.HasSuffix(c.operation.Name, "ResourcePolicy") && c.ownerOf(needs[0].resource) != c.principal.Account {
		return errPolicyOwner
	}
	if err := c.enter(needs); err != nil {
		return err
	}
	for i := range needs {
		err := c.check(&needs[i], in)
		switch {
		case err == nil:
		case c.operation.Name == "BatchExecuteStatement":
			c.deny(needs[i].part, err)
		default:
			return err
		}
	}
	return nil
}

// check returns an error if the caller lacks a permission.
func (c *call) check(need *access, in any) error {
	context := &accessContext{access: need, call: c, in: reflect.ValueOf(in).Elem()}
	action := "dynamodb:" + need.action
	r := &iam.Request{
		Principal: c.principal,
		Partition: c.Partition(),
		Action:    action,
		Resource:  need.resource,
		Owner:     c.ownerOf(need.resource),
		Attached:  c.attached(need),
		Context:   context.values,
	}
	d := iam.Decide(r)
	if c.event != nil {
		c.event.Access = append(c.event.Access, EventAccess{action, strings.Clone(need.resource), d})
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
	return c.principal.Account
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
	if owner == c.principal.Account || c.operation.Reach != catalog.Accounts || !c.emulator.iam.HasAccount(owner) {
		return nil
	}
	c.Account = strings.Clone(owner)
	c.visited = c.emulator.namespaces.borrowOf(c.Account, c.Region)
	c.store, c.transactions = c.visited.store, c.visited.transactions()
	if c.watch != nil {
		c.watch.partitions = c.visited.partitionCount().State
		c.watch.proposal.State = c.watch.partitions
	}
	return nil
}

// deny notes that a statement of a BatchExecuteStatement is refused.
func (c *call) deny(part int, err error) {
	if c.denied == nil {
		c.denied = map[int]error{}
	}
	if c.denied[part] == nil {
		c.denied[part] = err
	}
}
