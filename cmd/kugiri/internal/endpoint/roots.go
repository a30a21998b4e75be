package endpoint

import (
	"crypto/x509"
	"sync"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// TrustPublicRoots has TLS clients trust Mozilla's certificate authorities where the machine
// names none, as in an image that holds nothing but kugiri. A command calls it before it connects
// to an https server: parsing them takes a millisecond, which those that serve do not spend.
var TrustPublicRoots = sync.OnceFunc(func() {
	pool := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		switch {
		case err != nil:
			panic(err) // the bundle is part of the program
		case root.Constraint == nil:
			pool.AddCert(certificate)
		default:
			pool.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	x509.SetFallbackRoots(pool)
})
