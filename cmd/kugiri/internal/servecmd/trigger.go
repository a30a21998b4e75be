package servecmd

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// triggerSettings say which functions get the records of streams.
type triggerSettings struct {
	definitions []string
	triggers    []*trigger.Trigger // made by check
}

func (s *triggerSettings) register(f *pflag.FlagSet) {
	f.StringArrayVar(&s.definitions, "trigger", nil,
		"`TABLE -> URL` of a function that gets the records of a table's stream, as from Lambda; may be repeated, and may end with options in JSON")
}

// check makes the triggers. put is for what they give up: nil if there are no buckets.
func (s *triggerSettings) check(put trigger.Put) error {
	s.triggers = nil
	for _, text := range s.definitions {
		d, err := trigger.Parse(text)
		if err != nil {
			return fmt.Errorf("trigger: %w", err)
		}
		if put == nil && d.Bucket() != "" {
			return fmt.Errorf("trigger %q: %s is not there: give s3-dir or s3-endpoint",
				text, d.Failures)
		}
		t, err := d.Trigger(put)
		if err != nil {
			return fmt.Errorf("trigger %q: %w", text, err)
		}
		if slices.ContainsFunc(s.triggers,
			func(other *trigger.Trigger) bool { return other.Name() == t.Name() }) {
			return fmt.Errorf("trigger: %s is given twice", t.Name())
		}
		s.triggers = append(s.triggers, t)
	}
	return nil
}

// options returns the options that the settings add.
func (s *triggerSettings) options() (opts []emulator.Option) {
	for _, t := range s.triggers {
		opts = append(opts, emulator.WithTrigger(t))
	}
	return opts
}
