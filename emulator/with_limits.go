package emulator

import (
	"fmt"
	"reflect"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Limits are the service's limits on requests and answers. A field of 0 means DynamoDB's limit.
type Limits = serve.Limits

// WithLimits sets the limits. Fields of l that are 0 leave a limit unchanged. New and Fork panic if
// a field is negative.
func WithLimits(l Limits) Option {
	return func(s *settings) {
		to, from := reflect.ValueOf(&s.Limits).Elem(), reflect.ValueOf(l)
		for i := range from.NumField() {
			n := from.Field(i).Int()
			if n < 0 {
				panic(fmt.Sprintf("emulator: the limit %s is negative: %d",
					from.Type().Field(i).Name, n))
			}
			if n > 0 {
				to.Field(i).SetInt(n)
			}
		}
	}
}
