package definition

import (
	"context"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/seed"
)

// Seeds reads the files that are in none of this package's formats. The end of ctx ends it, also
// while a pipe has it wait.
func (d *Definitions) Seeds(ctx context.Context) (*seed.Data, error) {
	return await(ctx, func() (*seed.Data, error) { return seed.ReadFiles(d.Others...) })
}

// Load is Data.Load that the end of ctx ends.
func Load(ctx context.Context, data *seed.Data, to seed.Client) error {
	return data.Load(&untilDone{ctx, to})
}

// untilDone sends requests until ctx ends.
type untilDone struct {
	ctx context.Context
	to  seed.Client
}

// Do sends a request.
func (u *untilDone) Do(r *http.Request) (*http.Response, error) {
	if u.ctx.Err() != nil {
		return nil, context.Cause(u.ctx)
	}
	return u.to.Do(r.WithContext(u.ctx))
}
