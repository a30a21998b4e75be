package watch

// RuleCount says how often requests broke a rule of the policy.
type RuleCount struct {
	Rule     string // its id
	Severity string // "warn": the request was allowed; "enforce": it was refused
	Count    int64
}

type ruleKind struct{ Rule, Severity string }
