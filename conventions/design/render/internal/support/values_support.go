package support

// distinct returns values with each of them once.
func distinct[T comparable](values []T) (all []T) {
	seen := map[T]bool{}
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	return all
}
