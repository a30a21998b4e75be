package outgoing

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// AWS names the endpoints of AWS itself in place of a URL.
const AWS = "aws"

// How long a connection may take to be there, and how often it is probed; those of
// http.DefaultTransport.
const (
	dialTimeout = 30 * time.Second
	keepAlive   = 30 * time.Second
)

// Client returns a client for an endpoint: the URL that the operator named, or AWS.
func Client(endpoint string, timeout time.Duration) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return ClientOf(t, endpoint, timeout)
}

// ClientOf is Client with a transport, which it changes.
func ClientOf(t *http.Transport, endpoint string, timeout time.Duration) *http.Client {
	t.DialContext = Dialer(endpoint).DialContext
	return &http.Client{Transport: t, Timeout: timeout, CheckRedirect: follow}
}

// Dialer returns a dialer that connects to no address that the rule refuses. Endpoint is the URL
// that the operator named, or AWS.
func Dialer(endpoint string) *net.Dialer {
	var named netip.Addr // the zero Addr is no address
	if u, err := url.Parse(endpoint); err == nil {
		named, _ = netip.ParseAddr(u.Hostname())
	}
	return &net.Dialer{
		Timeout: dialTimeout, KeepAlive: keepAlive,
		Control: func(_, address string, _ syscall.RawConn) error {
			return check(address, named)
		},
	}
}

// check refuses the addresses that nothing may connect to, but for the one that the operator named.
// It is asked after names are resolved.
func check(address string, named netip.Addr) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address: %w", address, err)
	}
	a := plain(to.Addr())
	if !isInner(a) || named.IsValid() && a == plain(named) {
		return nil
	}
	return fmt.Errorf("%s is an address that gives credentials or settings to whoever asks: "+
		"a server connects to it only if the endpoint is named by this address", to.Addr())
}

// holders are the prefixes of addresses of IPv6 that hold one of IPv4, and the byte at which that
// begins.
var holders = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64 (RFC 6052, 2.1)
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12},  // NAT64 of a network (RFC 8215)
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // translated (RFC 2765, 2.1)
	{netip.MustParsePrefix("::/96"), 12},           // compatible (RFC 4291, 2.5.5.1)
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4 (RFC 3056, 2)
}

// plain returns an address without a zone, and that of IPv4 which one of IPv6 stands for.
func plain(a netip.Addr) netip.Addr {
	a = a.WithZone("").Unmap()
	if a.Is4() || a == netip.IPv6Loopback() {
		return a
	}
	for _, h := range holders {
		if h.prefix.Contains(a) {
			b := a.As16()
			return netip.AddrFrom4([4]byte(b[h.at : h.at+4]))
		}
	}
	return a
}

// inner are the addresses of metadata services that are not link-local.
var inner = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),      // AWS, by IPv6
	netip.MustParsePrefix("fd20:ce::/64"),       // Google Cloud, by IPv6
	netip.MustParsePrefix("fd00:c1::/32"),       // Oracle Cloud, by IPv6
	netip.MustParsePrefix("fd00:42::42/128"),    // Scaleway, by IPv6
	netip.MustParsePrefix("168.63.129.16/32"),   // Azure
	netip.MustParsePrefix("100.100.100.200/32"), // Alibaba Cloud
	netip.MustParsePrefix("192.0.0.192/32"),     // Oracle Cloud
}

// isInner reports whether an address is link-local, as the metadata services of AWS (of EC2 and of
// containers), Google Cloud and Azure are, or one of another metadata service.
func isInner(a netip.Addr) bool {
	if a.IsLinkLocalUnicast() {
		return true
	}
	for _, p := range inner {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// maxRedirects is how often AWS may send a request elsewhere.
const maxRedirects = 3

// follow lets a client go from a host of AWS to another one, as S3 asks for while the name of a new
// bucket spreads. Any other redirect is the answer.
func follow(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects || !isAWS(r.URL) || !isAWS(via[0].URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

// isAWS reports whether a URL is one of AWS.
func isAWS(u *url.URL) bool {
	host := u.Hostname()
	return u.Scheme == "https" && u.Port() == "" &&
		(strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn"))
}

// maxRegion is how long a name of a region may be.
const maxRegion = 32

// IsRegion reports whether a text from a request can become a part of a host of AWS: two words or
// more of letters, and a number, with hyphens between them, as in us-gov-west-1. "local", which the
// SDKs take for this machine, is not a region.
func IsRegion(text string) bool {
	words := strings.Split(text, "-")
	if len(text) > maxRegion || len(words) < 3 {
		return false
	}
	last := len(words) - 1
	for i, w := range words {
		const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
		if w == "" || i < last && strings.Trim(w, letters) != "" ||
			i == last && strings.Trim(w, digits) != "" {
			return false
		}
	}
	return true
}
