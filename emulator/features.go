package emulator

import (
	"errors"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/accelerators"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/jobs"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/triggers"
	"github.com/kugiri-db/kugiri/emulator/internal/inject"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// newInterceptors returns what happens to a decoded request before its operation. The order is that
// of the service, or of the documents: permissions, the policy, and then what a test injects. A
// feature that is off has no interceptor.
func newInterceptors(s *settings) (all []serve.Interceptor) {
	if s.IAM != nil {
		all = append(all, permit.Authorize)
	}
	if s.policy != nil {
		all = append(all, judge)
	}
	return append(all, insights.Watch, inject.Faults)
}

// newStates makes the states of an empty account.
func newStates() [serve.Kinds]serve.State {
	return [...]serve.State{
		serve.TransactionState:    new(items.Transactions),
		serve.PartitionCountState: new(serve.PartitionCount),
		serve.JobState:            new(jobs.Jobs),
		serve.InsightsState:       new(insights.Insights),
		serve.TriggerState:        new(triggers.TriggerProgress),
		serve.AttemptState:        new(serve.Attempts),
		serve.AcceleratorState:    new(accelerators.State),
	}
}

// operationNamed returns the operation of DynamoDB with a name.
func operationNamed(name string) *serve.Operation {
	return operationsByTarget[string(catalog.DynamoDB)+name]
}

// judge lets the policy decide about operations on other things than items. Those on items ask it
// for each Reading and each writeSet.
func judge(c *serve.Call, in any) error {
	switch {
	case c.Policy == nil || c.Operation.Shows == serve.ShowsItems:
		return nil
	case c.Operation.Shows == serve.ShowsFiltered:
		c.AtEnd = append(c.AtEnd, filtered(c))
	}
	return c.Policy.Operate(c.FirstTable(in))
}

// filtered returns the check at the end of a call that its answer is only of what the policy shows.
func filtered(c *serve.Call) func(in, out any, err error) error {
	return func(_, _ any, err error) error {
		if err == nil && !c.Policy.HasShown() {
			return errors.New(c.Operation.Name + " shows what it has not taken from enforce.Shown")
		}
		return err
	}
}
