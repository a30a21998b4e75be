package servecmd

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/spf13/pflag"
)

// tlsSettings are whether the server speaks TLS, and with which certificate.
type tlsSettings struct {
	cert, key  string
	selfSigned bool
	out        string
	made       *tls.Config // the config that was made, for all ports
}

func (s *tlsSettings) register(f *pflag.FlagSet) {
	f.StringVar(&s.cert, "tls-cert", "", "serve over TLS with the certificate in this PEM `file`")
	f.StringVar(&s.key, "tls-key", "", "PEM `file` with the key of --tls-cert")
	f.BoolVar(&s.selfSigned, "tls-self-signed", false,
		"serve over TLS with a certificate made at the start")
	f.StringVar(&s.out, "tls-out", "",
		"`file` to write the certificate of --tls-self-signed to, for clients (AWS_CA_BUNDLE)")
}

func (s *tlsSettings) check() error {
	switch {
	case (s.cert == "") != (s.key == ""):
		return errors.New("tls-cert and tls-key go together: give both or none")
	case s.cert != "" && s.selfSigned:
		return errors.New("tls-self-signed and tls-cert cannot both be given")
	case s.out != "" && !s.selfSigned:
		return errors.New("tls-out is for the certificate of tls-self-signed")
	}
	return nil
}

func (s *tlsSettings) on() bool { return s.cert != "" || s.selfSigned }

// config is the TLS configuration of a server that listens at host, nil for none. It is the same at
// each call.
func (s *tlsSettings) config(host string, logger *slog.Logger) (_ *tls.Config, err error) {
	if s.made == nil {
		s.made, err = s.newConfig(host, logger)
	}
	return s.made, err
}

func (s *tlsSettings) newConfig(host string, logger *slog.Logger) (*tls.Config, error) {
	switch {
	case s.selfSigned:
		c, err := selfSigned(host, time.Now())
		if err != nil {
			return nil, fmt.Errorf("making a certificate: %w", err)
		}
		der := c.Certificate[0]
		if s.out != "" {
			if err := os.WriteFile(s.out,
				pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
				0o644); err != nil {
				return nil, fmt.Errorf("tls-out: %w", err)
			}
		}
		logger.Info("made a certificate",
			slog.String("sha256", fmt.Sprintf("%X", sha256.Sum256(der))),
			slog.String("file", s.out))
		return &tls.Config{Certificates: []tls.Certificate{c}}, nil
	case s.cert != "":
		c, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return nil, fmt.Errorf("tls-cert %s with tls-key %s: %w", s.cert, s.key, err)
		}
		return &tls.Config{Certificates: []tls.Certificate{c}}, nil
	}
	return nil, nil
}

// selfSignedLife is how long a generated certificate is valid: no client takes one of more than 825
// days.
const selfSignedLife = 365 * 24 * time.Hour

// selfSigned makes a certificate for this machine, by its names and by host if that is not "".
func selfSigned(host string, now time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, err
	}
	c := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "Kugiri"},
		NotBefore:             now.Add(-time.Hour), // clients' clocks differ
		NotAfter:              now.Add(selfSignedLife),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true, // it can be its own root then
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if name, err := os.Hostname(); err == nil {
		c.DNSNames = append(c.DNSNames, name)
	}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = append(c.IPAddresses, ip)
	} else if host != "" && host != "localhost" {
		c.DNSNames = append(c.DNSNames, host)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
