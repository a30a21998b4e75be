package control

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// What answers of the operations on policies say is in ack-api-quirks, DDB-TABLE-205, 207 to 212,
// 234, 236, 347 and 351 to 356: probes of the service.

// maxPolicyBytes is the size limit of a policy (API Reference, PutResourcePolicy, Policy).
const maxPolicyBytes = 20 << 10

// noPolicy is the ExpectedRevisionId that expects no policy.
const noPolicy = "NO_POLICY"

var (
	errUnbounded = apierr.Invalid(
		"Resource-based policy grants unbounded access in one or more elements. " +
			"Please revise the policy to ensure least-privilege form of access")
)

// policyPlace is the resource that a policy is attached to.
type policyPlace struct {
	arn    string
	table  string
	stream string // label; "" for the table
}

// newPolicyPlace returns what a ResourceArn names.
func newPolicyPlace(c *serve.Call, arn api.ResourceArnString) (p policyPlace, err error) {
	text := strings.Clone(string(arn))
	part, err := resourceParts(text)
	if err != nil {
		return p, err
	}
	if part[4] != c.Account && serve.ValidAccount(part[4]) {
		return p, permit.ErrPolicyOwner
	}
	rest, own := strings.CutPrefix(text, c.TableARN(""))
	if !own {
		return p, apierr.BadParameter("Invalid resource Arn: %s", text)
	}
	table, stream, _ := strings.Cut(rest, "/stream/")
	if !serve.ValidName(table) {
		return p, errNoResourceARN(text)
	}
	return policyPlace{text, table, stream}, nil
}

// settingsWithPolicy returns the settings that hold a policy, for a request.
func settingsWithPolicy(c *serve.Call, tx *storage.Tx, p policyPlace,
	asked states.Request) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.TableInPhase(tx, p.table, asked)
	switch stream := tx.Streams().ByLabel(p.table, p.stream); {
	case err != nil && asked == states.GetPolicy && p.stream != "" && stream != nil:
		return nil, nil, errNoPolicy(p.arn) // the policy of a deleted table: DDB-TABLE-214
	case err != nil:
		return nil, nil, err
	case p.stream != "" && stream == nil:
		return nil, nil, &apierr.Error{Type: apierr.ResourceNotFound,
			Message: "Requested resource not found: Stream: " + p.stream +
				" not found for Table: " + p.table}
	}
	return t, s, nil
}

// errNoPolicy returns the error of a policy that is not there, or not in the expected revision.
func errNoPolicy(why string) error {
	return &apierr.Error{
		Type:    apierr.PolicyNotFound,
		Message: "Resource-based policy not found for the provided ResourceArn: " + why,
	}
}

// checkRevision compares the revision of a policy with ExpectedRevisionId.
func (p policyPlace) checkRevision(now tables.PolicyVersion, expected *api.PolicyRevisionId) error {
	if expected == nil {
		return nil
	}
	wanted := string(*expected)
	switch {
	case wanted == noPolicy && now.Policy == nil, wanted == now.Revision && now.Policy != nil:
		return nil
	case wanted == noPolicy:
		return errNoPolicy(
			fmt.Sprintf(
				"Requested policy update expecting none to be present for table %s, but a policy exists with revision id %s.", p.table, now.Revision))
	case now.Policy == nil: // also after a deletion: its revision names no policy
		return errNoPolicy(
			fmt.Sprintf(
				"Requested update for policy with revision id %s, but table %s has no associated policy.", wanted, p.table))
	}
	return errNoPolicy(fmt.Sprintf(
		"Requested update for policy with revision id %s, but the policy associated to target table %s has revision id %s.",
		wanted, p.table, now.Revision))
}

// checkPending refuses a change too soon after another one.
func checkPending(c *serve.Call, p policyPlace, last *tables.ResourcePolicy) error {
	now, next := c.Now(), last.Changed.Add(c.Service.PolicyInterval)
	var change tables.Change
	switch {
	case last.Changed.IsZero():
		return nil
	case now.Before(last.From):
		change = states.ChangesPolicy
	case now.Before(next):
		change = states.PolicyRests
	default:
		return nil
	}
	place, name := "Table", p.table
	if p.stream != "" {
		place, name = "Stream", p.stream
	}
	x := states.Changing{Table: p.table}
	return x.Error(change, states.PutPolicy,
		"{Place}", place, "{place}", strings.ToLower(place), "{name}", name,
		"{interval}", strconv.FormatInt(c.Service.PolicyInterval.Milliseconds(), 10),
		"{next}", next.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// changePolicies calls f, which changes the policy of a place, in a commit with all replicas of the
// table. Then it delivers what the change allows to deliver.
func changePolicies(c *serve.Call, p policyPlace, f func(*storage.Tx) error) error {
	replicated := false
	err := inGroup(c, p.table, nil, func(g *ReplicaGroup) error {
		if err := f(g.Local.Tx); err != nil {
			return err
		}
		if _, s := g.Local.table(p.table); s.Global != nil {
			g.setGlobal(s.Global.Clone(), c.Now())
			replicated = true
		}
		return nil
	})
	if err == nil && replicated {
		c.Service.Replicator.ReplicateAll()
	}
	return err
}

// policyChange is a change of a policy that a request asks for.
type policyChange struct {
	call     *serve.Call
	place    policyPlace
	last     *tables.ResourcePolicy
	to       tables.PolicyVersion // zero to delete it
	expected *api.PolicyRevisionId
}

// orderOfPolicies orders the checks of PutResourcePolicy and DeleteResourcePolicy on the current
// policy. Before it come the ARN, the document (whose order orderOfDocuments has), what keeps the
// caller from another change, and the table.
var orderOfPolicies = serve.Order[*policyChange]{
	serve.Step("the revision", "M.6, M.7, DDB-TABLE-206", func(c *policyChange) error {
		return c.place.checkRevision(c.last.Now, c.expected)
	}),
	serve.Step("the interval, unless nothing changes", "DDB-TABLE-206, DDB-TABLE-207, DDB-TABLE-347",
		func(c *policyChange) error {
			if c.to.Same(c.last.Now) || c.to.Policy == nil && c.last.Now.Policy == nil {
				return nil
			}
			return checkPending(c.call, c.place, c.last)
		}),
}

// changePolicy stores another version of a policy, and returns the policy after the change.
func changePolicy(c *serve.Call, tx *storage.Tx, t *storage.Table, p policyPlace,
	from tables.ResourcePolicy, to tables.PolicyVersion) tables.ResourcePolicy {
	changed := from.Change(to, c.Now(), c.Delays().Update)
	exists := func(stream string) bool { return tx.Streams().ByLabel(p.table, stream) != nil }
	tx.Tables().SetSettings(t, tables.SettingsOf(tx, t).WithPolicy(changed, exists))
	return changed
}

// policyDocument is that of a policy of a table or of a stream.
type policyDocument struct {
	*iam.Policy
	stream bool
}

// orderOfDocuments orders the checks on a document that can be read.
var orderOfDocuments = serve.Order[policyDocument]{
	serve.Step("resources", "DDB-TABLE-211, F.35",
		func(d policyDocument) error { return checkPolicyResources(d.Resources(), d.stream) }),
	serve.Step("actions", "DDB-TABLE-211",
		func(d policyDocument) error { return checkPolicyActions(d.Actions(), d.stream) }),
	serve.Step("access for everybody", "DDB-TABLE-352", func(d policyDocument) error {
		if d.Public() {
			return errUnbounded
		}
		return nil
	}),
}

// newPolicy checks the document of a policy.
func newPolicy(c *serve.Call, document string, stream bool) (v tables.PolicyVersion, err error) {
	if len(document) > maxPolicyBytes {
		return v, apierr.BadParameter("Maximum policy size of %d bytes exceeded", maxPolicyBytes)
	}
	p, err := iam.ParseResourcePolicy(document)
	switch {
	case errors.Is(err, iam.ErrInvalidPrincipal):
		return v, apierr.BadParameter("%s", err)
	case err != nil:
		return v, errPolicyDocument(err.Error())
	}
	if err := orderOfDocuments.Judge(policyDocument{p, stream}); err != nil {
		return v, err
	}
	return tables.PolicyVersion{Text: p.Canonical(c.Partition()), Policy: p}, nil
}

func errPolicyDocument(why string) error {
	return apierr.BadParameter("Invalid policy document: %s", why)
}

// actionsOfPolicies are the actions in policies of tables that are no operations: those of
// statements and conditions, and those of replication.
var actionsOfPolicies = []string{
	"AssociateTableReplica", "ConditionCheckItem", "PartiQLDelete", "PartiQLInsert",
	"PartiQLSelect", "PartiQLUpdate",
	"ReadDataForReplication", "ReplicateSettings", "WriteDataForReplication",
}

// policyActions returns the actions that a policy of a table or a stream may have.
func policyActions(stream bool) (actions []string) {
	for o := range catalog.All() {
		onPolicies := strings.HasSuffix(o.Name, "ResourcePolicy")
		switch {
		case o.Reach == catalog.Nobody, o.Needs == catalog.OnEachAction,
			o.Needs == catalog.OnStatements:
		case onPolicies, stream == (o.Needs == catalog.OnStream):
			actions = append(actions, o.Name)
		}
	}
	if !stream {
		actions = append(actions, actionsOfPolicies...)
	}
	return actions
}

// checkPolicyActions checks that there are the actions that a policy names.
func checkPolicyActions(named []string, stream bool) error {
	var bad []string
	for _, action := range named {
		if !anyAction(action, policyActions(stream)) {
			bad = append(bad, fmt.Sprintf("%q", action))
		}
	}
	if bad != nil {
		return errPolicyDocument("The following action names are invalid: " +
			strings.Join(bad, ", "))
	}
	return nil
}

func anyAction(pattern string, actions []string) bool {
	for _, action := range actions {
		if iam.MatchesAction(pattern, "dynamodb:"+action) {
			return true
		}
	}
	return false
}

// checkPolicyResources checks that the resources of a table's policy are no streams, and those of a
// stream's policy nothing else.
func checkPolicyResources(resources []string, stream bool) error {
	for _, arn := range resources {
		part := strings.SplitN(arn, ":", 6)
		if len(part) < 6 {
			continue
		}
		named := strings.Contains(part[5], "/stream/")
		if stream && !named && !strings.Contains(part[5], "*") || !stream && named {
			return errPolicyDocument(
				fmt.Sprintf("The relative-id %q is invalid for ARN %q", part[5], arn))
		}
	}
	return nil
}
