package explore

import (
	"runtime"
	"strings"
)

// stacks returns the stacks of the goroutines that run workers.
func stacks() string {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	var list []string
	for _, g := range strings.Split(string(all), "\n\n") {
		if strings.Contains(g, "explore.(*execution).work(") {
			list = append(list, g)
		}
	}
	return strings.Join(list, "\n\n")
}
