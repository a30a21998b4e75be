package httpd

// First returns the first value of a header, or "".
func First(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
