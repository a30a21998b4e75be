package iam

import "strings"

// restrictingKeys are the condition keys that restrict who a statement is for (Developer Guide,
// "Blocking public access with resource-based policies in DynamoDB").
var restrictingKeys = map[string]bool{
	"aws:principalaccount": true, "aws:principalarn": true, "aws:principalorgid": true,
	"aws:principalorgpaths": true,
	"aws:sourceaccount":     true, "aws:sourcearn": true, "aws:sourcevpc": true,
	"aws:sourcevpce":           true,
	"aws:userid":               true,
	"aws:principalservicename": true, "aws:principalservicenameslist": true,
	"aws:principalisawsservice": true,
	"aws:ec2instancesourcevpc":  true, "aws:sourceorgid": true, "aws:sourceorgpaths": true,
}

// Public reports whether a resource-based policy allows something to anybody.
func (p *Policy) Public() bool {
	for i := range p.statements {
		if s := &p.statements[i]; s.allow && s.forAnybody() && !s.restricted() {
			return true
		}
	}
	return false
}

func (s *statement) forAnybody() bool {
	if s.notPrincipals {
		return true
	}
	for _, p := range s.principals {
		if p == anybody {
			return true
		}
	}
	return false
}

// restricted reports whether a condition restricts who the statement is for.
func (s *statement) restricted() bool {
	for i := range s.conditions {
		if s.conditions[i].restricts() {
			return true
		}
	}
	return false
}

// restricts reports whether only some principals meet the condition. Values must be fixed.
func (c *condition) restricts() bool {
	if !restrictingKeys[c.key] || c.null || c.ifExists || c.test.negated || c.set == forAllValues {
		return false
	}
	for _, v := range c.values {
		if strings.ContainsAny(v, "*?$") || c.key == "aws:principalisawsservice" && v != "true" {
			return false
		}
	}
	return true
}
