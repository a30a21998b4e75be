package iam

import (
	"encoding/json"
	"strings"
)

// principalPattern is a principal that a resource-based policy names: "*", the number of an
// account, an ARN, a service after ofService, or "" for identity providers, who do not call here.
type principalPattern string

// ofService begins the pattern of a service.
const ofService = "service:"

// anybody matches all principals.
const anybody principalPattern = "*"

// parsePrincipals parses a Principal or NotPrincipal.
func parsePrincipals(text json.RawMessage) (all []principalPattern, err error) {
	if string(text) == `"*"` {
		return []principalPattern{anybody}, nil
	}
	if text[0] == '"' {
		return nil, errNoObject
	}
	var byType map[string]listOf[string]
	if err := json.Unmarshal(text, &byType); err != nil || len(byType) == 0 {
		return nil, errSyntax
	}
	for kind, names := range byType {
		switch kind {
		case "AWS":
		case "Service":
			for i, name := range names {
				names[i] = ofService + name
			}
		case "Federated", "CanonicalUser":
			names = make([]string, len(names))
		default:
			return nil, errSyntax
		}
		for _, name := range names {
			p := principalPattern(name)
			if kind == "AWS" && !p.valid() {
				return nil, ErrInvalidPrincipal
			}
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, errNoPrincipal
	}
	return all, nil
}

// valid reports whether the pattern has the form of a principal. A part of an ARN can not be a
// wildcard.
func (p principalPattern) valid() bool {
	if p == anybody || validAccount(string(p)) {
		return true
	}
	part := strings.SplitN(string(p), ":", 6)
	if len(part) < 6 || part[0] != "arn" || part[3] != "" || !validAccount(part[4]) ||
		strings.ContainsAny(string(p), "*?") {
		return false
	}
	kind, name, _ := strings.Cut(part[5], "/")
	switch part[2] {
	case "iam":
		return kind == "root" && name == "" || (kind == "user" || kind == "role") && name != ""
	case "sts":
		return (kind == "assumed-role" || kind == "federated-user") && name != ""
	}
	return false
}

// grant says what an Allow for a principal pattern gives to a principal of the resource's account.
type grant uint8

// The grants. A larger one gives more.
const (
	noGrant      grant = iota
	accountGrant       // the account may give the permission to the principal
	roleGrant          // boundaries and session policies limit it, as an identity-based policy
	directGrant        // nothing but an explicit deny limits it
)

// grantTo returns the grant for a principal.
func (p principalPattern) grantTo(who *Principal, partition string) grant {
	name := string(p)
	switch {
	case p == anybody:
		return directGrant
	case name == "" || who.Service != "":
		if name == ofService+who.Service {
			return directGrant
		}
		return noGrant
	case name == who.ARN(partition):
		return directGrant
	case name == who.Account, name == "arn:"+partition+":iam::"+who.Account+":root":
		if who.Root() {
			return directGrant
		}
		return accountGrant
	case who.Role != "" && name == who.sourceARN(partition):
		return roleGrant
	}
	return noGrant
}

// exempts reports whether a NotPrincipal exempts a principal: it must name the account and the
// user, or the account, the role and the session (IAM User Guide, "IAM JSON policy elements:
// NotPrincipal").
func exempts(named []principalPattern, who *Principal, partition string) bool {
	var has [directGrant + 1]bool
	for _, p := range named {
		if p == anybody {
			return true
		}
		has[p.grantTo(who, partition)] = true
	}
	if who.Service != "" {
		return has[directGrant]
	}
	return has[directGrant] && (who.Root() || has[accountGrant]) &&
		(who.Role == "" || has[roleGrant])
}
