package arn

import "strings"

// TableCalled is the name of the table that a request calls by its name, its ARN
// or that of its stream; "" for nil.
func TableCalled[T ~string](requested *T) string {
	if requested == nil {
		return ""
	}
	name := string(*requested)
	if !strings.HasPrefix(name, "arn:") {
		return name
	}
	if _, after, ok := strings.Cut(name, ":table/"); ok {
		name, _, _ = strings.Cut(after, "/")
	}
	return name
}
