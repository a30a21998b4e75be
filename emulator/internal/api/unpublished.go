package api

import "reflect"

// This file holds what the service does with the shapes although its public model does not say so.

// NameOf returns the type of the names that values of a type are unless they are ARNs: the
// service applies the constraints on those, too (service facts 7.2). It is nil for other types.
func NameOf(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[TableArn]() {
		return reflect.TypeFor[TableName]()
	}
	return nil
}

// NamePattern is that of the names of tables and indexes.
const NamePattern = `[a-zA-Z0-9_.-]+`

// HiddenMembers are members that a type has in the service but not in its public
// model; messages print them. (Messages that users have reported show
// PutRequest(item={...}, workloadProfileName=null).)
func HiddenMembers(t reflect.Type) []string { return hiddenMembers[t] }

var hiddenMembers = map[reflect.Type][]string{
	reflect.TypeFor[PutRequest]():    {"workloadProfileName"},
	reflect.TypeFor[DeleteRequest](): {"workloadProfileName"},
}

// MemberMax is how long a member of a type may be although longer values of its type are
// legal elsewhere; 0 if there is no such bound. The service's model still bounds the keys of
// tables and local indexes, the public one no longer does since global indexes may have longer
// keys (service facts 6.8 and 6.10).
func MemberMax(t reflect.Type, member string) int64 { return memberMaxima[t][member] }

var memberMaxima = map[reflect.Type]map[string]int64{
	reflect.TypeFor[CreateTableInput]():    {"KeySchema": 2},
	reflect.TypeFor[LocalSecondaryIndex](): {"KeySchema": 2},
}

// Opaque reports whether messages print values of a type as Object.toString of Java does, by
// the name of its class and a hash (ack-api-quirks, DDB-TABLE-042, a probe of the service).
func Opaque(t reflect.Type) bool { return t == reflect.TypeFor[KeySchemaElement]() }
