package api

import "reflect"

// This file has the rules of the service for shapes that its public model does not contain.

// NameOf returns the type of the names that a type accepts besides ARNs. The service also applies
// the constraints of that type to names (service facts 7.2). NameOf returns nil for other types.
func NameOf(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[TableArn]() {
		return reflect.TypeFor[TableName]()
	}
	return nil
}

// LengthFirst reports whether the service checks the length of a string before its pattern
// (ack-api-quirks, DDB-TABLE-457, probes of the service).
func LengthFirst(t reflect.Type) bool { return t == reflect.TypeFor[IndexName]() }

// NamePattern is the pattern of the names of tables and indexes.
const NamePattern = `[a-zA-Z0-9_.-]+`

// HiddenMembers returns the members that a type has in the service but not in its public model.
// Messages print them. (Messages that users have reported show PutRequest(item={...},
// workloadProfileName=null).)
func HiddenMembers(t reflect.Type) []string { return hiddenMembers[t] }

var hiddenMembers = map[reflect.Type][]string{
	reflect.TypeFor[PutRequest]():    {"workloadProfileName"},
	reflect.TypeFor[DeleteRequest](): {"workloadProfileName"},
}

// MemberMax returns the largest length of a member of a type that has a lower limit than other
// values of the member's type, or 0 if there is no such limit. The service's model still limits the
// keys of tables and local indexes. The public model no longer does, since global indexes may have
// longer keys (service facts 6.8 and 6.10).
func MemberMax(t reflect.Type, member string) int64 { return memberMaxima[t][member] }

var memberMaxima = map[reflect.Type]map[string]int64{
	reflect.TypeFor[CreateTableInput]():        {"KeySchema": 2},
	reflect.TypeFor[TableCreationParameters](): {"KeySchema": 2},
	reflect.TypeFor[LocalSecondaryIndex]():     {"KeySchema": 2},
}

// Unchecked reports whether the service applies the constraints of a member's type elsewhere, but
// not to this member: its operation checks the member in other words (service facts T.4 and T.11).
func Unchecked(t reflect.Type, member string) bool { return member != "" && unchecked[t] == member }

var unchecked = map[reflect.Type]string{
	reflect.TypeFor[CreateTableInput]():              "TableClass", // ack-api-quirks, DDB-TABLE-442
	reflect.TypeFor[UpdateTableInput]():              "TableClass",
	reflect.TypeFor[ExportTableToPointInTimeInput](): "TableArn",
}

// Opaque reports whether messages print values of a type as Java's Object.toString does, with the
// name of the class and a hash (ack-api-quirks, DDB-TABLE-042, a probe of the service).
func Opaque(t reflect.Type) bool { return t == reflect.TypeFor[KeySchemaElement]() }

// InCodePoints reports whether the length of a string counts code points, not the units of Java's
// strings (service facts F.67).
func InCodePoints(t reflect.Type) bool { return t == reflect.TypeFor[PartiQLStatement]() }
