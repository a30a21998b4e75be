package httpd

// First returns the first of the values of a header, "" if there are none.
func First(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
