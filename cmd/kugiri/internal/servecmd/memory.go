package servecmd

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// The shares of --memory-limit that the data may take, and all that the Go runtime manages. The
// rest is for what the runtime does not manage.
const (
	dataShare    = 0.8
	runtimeShare = 0.95
)

// memoryLimit is the flag --memory-limit: a number of bytes, or auto.
type memoryLimit struct{ bytes int64 } // 0: none

// String implements pflag.Value.
func (m *memoryLimit) String() string { return strconv.FormatInt(m.bytes, 10) }

// Type implements pflag.Value.
func (m *memoryLimit) Type() string { return "bytes" }

// Set implements pflag.Value.
func (m *memoryLimit) Set(text string) (err error) {
	if text == "auto" {
		m.bytes, err = cgroupLimit("/sys/fs/cgroup")
		return err
	}
	m.bytes, err = strconv.ParseInt(text, 10, 64)
	if err != nil || m.bytes < 0 {
		return errors.New("want a number of bytes, 0 for none, or auto for the container's limit")
	}
	return nil
}

// apply tells the Go runtime of the limit, and returns what the data may take.
func (m *memoryLimit) apply() int64 {
	if m.bytes == 0 {
		return math.MaxInt64
	}
	debug.SetMemoryLimit(int64(float64(m.bytes) * runtimeShare))
	return max(1, int64(float64(m.bytes)*dataShare))
}

// cgroupLimit returns the limit of memory of the control group of this process, 0 if it has none
// (Linux, "Control Group v2", memory.max; version 1, memory.limit_in_bytes).
func cgroupLimit(root string) (int64, error) {
	for _, name := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		text, err := budget.ReadFile(root+"/"+name, 1<<10)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		value := strings.TrimSpace(string(text))
		if value == "max" {
			return 0, nil
		}
		bytes, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s/%s: %q is no number of bytes", root, name, value)
		}
		if bytes > 1<<60 { // version 1 has no word for "no limit"
			return 0, nil
		}
		return bytes, nil
	}
	return 0, errors.New("auto: this machine has no control groups: give a number of bytes")
}
