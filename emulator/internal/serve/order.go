package serve

// Check is a step of the order in which an operation judges its requests.
type Check[In any] struct {
	Name  string // what it judges
	Facts string // that say where it stands, by their numbers in conformance/facts; "" for none
	Judge func(In) error
}

// Step returns a Check.
func Step[In any](name, facts string, judge func(In) error) Check[In] {
	return Check[In]{Name: name, Facts: facts, Judge: judge}
}

// Order is the order of an operation's checks. The first that fails answers the request. A fact
// that says that one thing is judged before another moves a line.
type Order[In any] []Check[In]

// Judge returns the error of the first check that fails.
func (o Order[In]) Judge(in In) error {
	for i := range o {
		if err := o[i].Judge(in); err != nil {
			return err
		}
	}
	return nil
}
