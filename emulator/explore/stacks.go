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
		if strings.Contains(g, "explore.(*host).work(") {
			list = append(list, g)
		}
	}
	return strings.Join(list, "\n\n")
}

// sleepers reports whether a goroutine in the bubble of the caller may wait for a time to come, to
// judge by its state: who waits for a channel waits for another worker.
func sleepers() bool {
	own := make([]byte, 200)
	_, mine, ok := strings.Cut(string(own[:runtime.Stack(own, false)]), "synctest bubble ")
	mine, _, found := strings.Cut(mine, "]")
	if !ok || !found {
		return true
	}
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for _, g := range strings.Split(string(all), "\n\n") {
		header, _, _ := strings.Cut(g, "\n")
		if !strings.Contains(header, "synctest bubble "+mine+"]") ||
			strings.Contains(g, "search.(*WorkerClient).Do(") {
			continue
		}
		if strings.Contains(header, "[sleep") || strings.Contains(header, "[select") {
			return true
		}
	}
	return false
}
