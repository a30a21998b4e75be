package serve

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Developer Guide, "Supported data types and naming rules", "Naming rules".
const (
	minNameLen = 3
	maxNameLen = 255
)

// TableName resolves a TableName parameter, which may be a table's name or its
// ARN, to the name. That there is such a table is not checked. The name is a
// part of the parameter: whoever keeps it beyond the request clones it.
func (c *Call) TableName(table api.TableArn) (string, error) {
	name := string(table)
	if strings.HasPrefix(name, "arn:") {
		name, err := c.TableOfARN(name)
		// ack-api-quirks, DDB-TABLE-442, a probe of the service
		if err != nil && c.OfAnotherRegion(string(table)) {
			err = apierr.Invalid("1 validation error detected: Invalid AWS region in '%s'", table)
		}
		return name, err
	}
	if !ValidName(name) {
		return "", ErrTableName(table)
	}
	return name, nil
}

// ErrTableName is the error of a name that is not a parameter of its own, in words as if it were.
func ErrTableName(table api.TableArn) error {
	return &apierr.ParameterError{
		About:   apierr.AboutMembers,
		Members: wire.Validate(&api.DescribeTableInput{TableName: &table}),
	}
}

// TableOfARN returns the name in a table's ARN, if the table can be one of the
// caller's account and region. What is no ARN of a table is refused as such, and
// only a table of another account as one that the caller may not use (service
// facts 10.4).
func (c *Call) TableOfARN(arn string) (string, error) {
	// arn:partition:dynamodb:region:account:table/name
	part := strings.SplitN(arn, ":", 6)
	if len(part) < 6 || part[0] != "arn" || part[2] != "dynamodb" {
		return "", ErrARN(arn)
	}
	if account := part[4]; account != c.Account {
		if !ValidAccount(account) {
			return "", ErrARN(arn)
		}
		return "", c.AccessDenied(arn)
	}
	name, isTable := strings.CutPrefix(part[5], "table/")
	if !isTable || part[1] != c.Partition() || part[3] != c.Region || !ValidName(name) {
		return "", ErrARN(arn)
	}
	return name, nil
}

// OfAnotherRegion reports whether an ARN is that of a table of the caller in another region.
func (c *Call) OfAnotherRegion(arn string) bool {
	part := strings.SplitN(arn, ":", 6)
	return len(part) == 6 && part[1] == c.Partition() && part[2] == "dynamodb" &&
		part[3] != c.Region && part[4] == c.Account &&
		strings.HasPrefix(part[5], "table/")
}

// OfAnotherAccount reports whether an ARN is that of anything of another account in DynamoDB.
func (c *Call) OfAnotherAccount(arn string) bool {
	part := strings.SplitN(arn, ":", 6)
	return len(part) == 6 && part[0] == "arn" && part[2] == "dynamodb" &&
		part[4] != c.Account && ValidAccount(part[4])
}

func ErrARN(arn string) error {
	return apierr.Invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", arn)
}

// ValidAccount reports whether an account may have the number: 12 digits.
func ValidAccount(number string) bool {
	return len(number) == 12 && strings.Trim(number, "0123456789") == ""
}

// ValidName reports whether a table or index may have the name.
func ValidName(name string) bool {
	if len(name) < minNameLen || len(name) > maxNameLen {
		return false
	}
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b &&
			b <= '9', b == '_', b == '-', b == '.':
		default:
			return false
		}
	}
	return true
}

const IteratorVersion = "|1|"
