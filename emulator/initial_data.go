package emulator

// WithInitialData has every access key begin, in every region, with the tables
// that an access key of another service, accessKey, has in a region at this moment:
// a seed, loaded once, and a fork of it for everyone. The fork is made when the access key and
// region are first seen, in time independent of the amount of data; Reset takes them back to it.
// The streams of the tables have their records. With WithSharedData all begin with the same, which
// they share.
//
// Of a service that Open made, only what is not in its journal begins so; with the
// first change all of it is written there, which takes longer the more there is.
func WithInitialData(from *Emulator, accessKey, region string) Option {
	h := from.service.Namespaces.Borrow(from.HTTPClient(accessKey, region).caller).Account
	defer h.GiveBack()
	initial := h.Fork(from.service.Storage)
	return func(s *settings) { s.Initial = initial }
}
