package support

// pages reads a result two items at a time, and goes on at its position each time.
func (f finder) pages(in *Results, err error) (found []int) {
	f.must(err)
	for {
		items, err := in.Next(f.t.Context(), 2)
		f.must(err)
		f.must(in.Continue(in.Position()))
		if len(items) == 0 {
			return found
		}
		found = append(found, f.rowsOf(items...)...)
	}
}
