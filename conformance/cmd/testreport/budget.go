package main

import (
	"errors"
	"fmt"
	"time"
)

// budget bounds the CPU time of tests.
type budget struct {
	total float64 // seconds; 0 is no bound
	share float64 // part of total that one package may take
}

// check returns an error for each bound that the times exceed.
func (b budget) check(times []packageTime) error {
	if b.total == 0 {
		return nil
	}
	var errs []error
	var sum time.Duration
	for _, t := range times {
		sum += t.CPU
		if most := b.total * b.share; t.CPU.Seconds() > most {
			errs = append(errs,
				fmt.Errorf("%s: its tests take %.0f s of CPU time, and may take %.0f",
					t.Dir, t.CPU.Seconds(), most))
		}
	}
	if sum.Seconds() > b.total {
		errs = append(errs, fmt.Errorf("all tests take %.0f s of CPU time, and may take %.0f",
			sum.Seconds(), b.total))
	}
	return errors.Join(errs...)
}
