package permit

import (
	"reflect"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// CheckLockout refuses a policy that does not let the caller change it later, unless the request
// confirms that. Without WithIAM the caller counts as the root user.
func CheckLockout(c *serve.Call, arn string, policy *iam.Policy, in any) error {
	who := &iam.Principal{Account: c.Account}
	if c.Caller != nil {
		who = c.Caller.Principal
	}
	need := &Access{Action: "PutResourcePolicy", Resource: arn}
	context := &accessContext{Access: need, call: c, in: reflect.ValueOf(in).Elem()}
	d := iam.Decide(&iam.Request{Principal: who, Partition: c.Partition(),
		Action: "dynamodb:" + need.Action, Resource: arn,
		Owner: c.Account, Attached: policy, Context: context.values})
	if !d.Allowed {
		return errLockout
	}
	return nil
}

// attached returns the resource-based policy of a resource that applies to an access, or nil. The
// root user may delete a policy whatever it says (API Reference, DeleteResourcePolicy).
func attached(c *serve.Call, need *Access) (p *iam.Policy) {
	rest, own := strings.CutPrefix(need.Resource, c.TableARN(""))
	if !own || need.Action == "DeleteResourcePolicy" && c.Caller.Root() {
		return nil
	}
	table, rest, _ := strings.Cut(rest, "/")
	stream, _ := strings.CutPrefix(rest, "stream/")
	if stream == rest {
		stream = ""
	}
	c.Store.View(func(tx *storage.Tx) error { // this cannot fail
		if t := tx.Table(table); t != nil {
			policy := tables.SettingsOf(tx, t).PolicyOf(stream)
			p = policy.At(c.Now()).Policy
		}
		return nil
	})
	return p
}

var ErrPolicyOwner = apierr.Invalid(
	"This action is only supported by accounts that match the resource owner’s account.")

var errLockout = &apierr.Error{Type: apierr.AccessDenied,
	Message: "The new resource policy will not allow you to update the resource policy in the future."}
