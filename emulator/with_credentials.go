package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/auth"
)

// Secret holds the secret of an access key.
type Secret struct {
	Key          string    // the secret access key
	SessionToken string    // the token of temporary credentials; "" for others
	Expires      time.Time // the end of temporary ones, on the service's clock; zero for never
}

// WithCredentials has the service verify the signatures of all requests, with the
// secrets of the access keys that there are, and refuse what is signed otherwise,
// or more than fifteen minutes off the service's clock (see WithClock). By default
// anything that looks like a signature will do.
func WithCredentials(secrets map[string]Secret) Option {
	return func(s *settings) {
		s.credentials = make(auth.Secrets, len(secrets))
		for key, secret := range secrets {
			s.credentials[key] = auth.Secret(secret)
		}
	}
}
