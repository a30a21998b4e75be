package main

import "testing"

func TestGCPercent(t *testing.T) {
	for _, c := range []struct {
		name string
		live uint64
		want int
	}{
		{"nothing is live yet", 0, 1000},
		{"an idle server may grow by ten times", 1 << 20, 1000},
		{"a small table by the floor", 32 << 20, 200},
		{"a large table by its share", 1 << 30, growthPercent},
		{"where both meet", growthFloor * 100 / growthPercent, growthPercent},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := gcPercent(c.live); got != c.want {
				t.Errorf("gcPercent(%d) = %d, want %d", c.live, got, c.want)
			}
		})
	}
}
