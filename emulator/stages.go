package emulator

import "github.com/kugiri-db/kugiri/conventions/catalog"

// newStages returns what happens to a decoded request before its operation. The order is that of
// the service, or of the documents: permissions, the policy, and then what a test injects. A feature
// that is off has no stage.
func newStages(s *settings) (stages []stage) {
	if s.iam != nil {
		stages = append(stages, authorize)
	}
	if s.policy != nil {
		stages = append(stages, judge)
	}
	return append(stages, watchInsights, injectFaults)
}

// newStates makes the states of an empty account.
func newStates() [stateKinds]accountState {
	return [...]accountState{
		transactionState:    new(transactions),
		partitionCountState: new(partitionCount),
		jobState:            new(jobs),
		insightsState:       new(insights),
		triggerState:        new(triggerProgress),
	}
}

// operationNamed returns the operation of DynamoDB with a name.
func operationNamed(name string) *operation { return operationsByTarget[string(catalog.DynamoDB)+name] }

// judge lets the policy decide about operations on other things than items, whose own code asks it.
func judge(c *call, in any) error {
	if c.watch == nil || c.operation.Subject == catalog.Items {
		return nil
	}
	return c.watch.operate(c.firstTable(in))
}
