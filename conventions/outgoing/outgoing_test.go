package outgoing

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, address, endpoint string
		refused                 bool
	}{
		{"metadata of EC2", "169.254.169.254:80", "http://functions.example", true},
		{"credentials of containers", "169.254.170.2:80", "http://functions.example", true},
		{"link-local by IPv6", "[fe80::1%eth0]:80", "http://functions.example", true},
		{"metadata of EC2 by IPv6", "[fd00:ec2::254]:80", "http://functions.example", true},
		{"mapped to IPv6", "[::ffff:169.254.169.254]:80", "http://functions.example", true},
		{"by NAT64", "[64:ff9b::a9fe:a9fe]:80", "http://functions.example", true},
		{"by NAT64 of a network", "[64:ff9b:1::a9fe:a9fe]:80", "http://functions.example", true},
		{"translated to IPv6", "[::ffff:0:a9fe:a9fe]:80", "http://functions.example", true},
		{"compatible with IPv6", "[::a9fe:a9fe]:80", "http://functions.example", true},
		{"by 6to4", "[2002:a9fe:a9fe::1]:80", "http://functions.example", true},
		{"Google Cloud by IPv6", "[fd20:ce::254]:80", "http://functions.example", true},
		{"Oracle Cloud by IPv6", "[fd00:c1::a9fe:a9fe]:80", "http://functions.example", true},
		{"Scaleway by IPv6", "[fd00:42::42]:80", "http://functions.example", true},
		{"another one by 6to4", "[2002:3400::1]:80", "http://functions.example", false},
		{"another private network by IPv6", "[fd12::1]:80", "http://functions.example", false},
		{"Azure", "168.63.129.16:80", "http://functions.example", true},
		{"Alibaba Cloud", "100.100.100.200:80", "http://functions.example", true},
		{"Oracle Cloud", "192.0.0.192:80", "http://functions.example", true},
		{"AWS", "169.254.169.254:443", AWS, true},
		{"named by another number", "169.254.169.254:80", "http://169.254.1.1", true},
		{"named by its number", "169.254.1.1:80", "http://169.254.1.1:80/f", false},
		{"named by its number in IPv6", "[fe80::1%eth0]:80", "http://[fe80::1%25eth0]/", false},
		{"this machine", "127.0.0.1:9000", "http://localhost:9000", false},
		{"this machine by IPv6", "[::1]:9000", "http://localhost:9000", false},
		{"a private network", "10.0.0.1:443", AWS, false},
		{"the internet", "52.94.0.1:443", AWS, false},
		{"no address", "functions.example:80", "http://functions.example", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			control := Dialer(c.endpoint).Control
			err := control("tcp", c.address, nil)
			assert.Equal(t, c.refused, err != nil, "%v", err)
		})
	}
}

// TestNamesThatLeadInside: what counts is where a name leads when it is connected to, whatever a
// client, a redirect or a name server says before.
func TestNamesThatLeadInside(t *testing.T) {
	for _, c := range []struct {
		name  string
		leads []netip.Addr
	}{
		{"to metadata", []netip.Addr{netip.MustParseAddr("169.254.169.254")}},
		{"to metadata by IPv6", []netip.Addr{netip.MustParseAddr("fd00:ec2::254")}},
		{"to metadata of both kinds", []netip.Addr{
			netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("fd00:ec2::254")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Dialer("http://functions.example")
			d.Resolver = resolver(t, c.leads)
			_, err := d.DialContext(t.Context(), "tcp", "functions.example.:80")
			assert.ErrorContains(t, err, "is an address that gives credentials")
		})
	}
}

// resolver returns a resolver that has addresses for all names.
func resolver(t *testing.T, leads []netip.Addr) *net.Resolver {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	go func() {
		query := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return // the test has ended
			}
			_, _ = server.WriteTo(answer(query[:n], leads), from)
		}
	}()
	return &net.Resolver{PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
		}}
}

// answer answers a query of DNS that has one question (RFC 1035, 4.1).
func answer(query []byte, leads []netip.Addr) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	question := query[header : end+5]
	a := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	for _, to := range leads {
		wanted := byte(typeAAAA)
		if to.Is4() {
			wanted = typeA
		}
		if query[end+2] == wanted {
			a[7]++
			a = append(a, 0xc0, header, 0, wanted, 0, 1, 0, 0, 0, 0, 0, byte(len(to.AsSlice())))
			a = append(a, to.AsSlice()...)
		}
	}
	return a
}

// TestDialerAsksAfterNamesAreResolved: what counts is where a name leads, not the name. That a name
// leads to a refused address needs no network: the numbers below are names that resolvers read.
func TestDialerAsksAfterNamesAreResolved(t *testing.T) {
	_, err := Client("http://functions.example", 0).Get("http://169.254.169.254/latest/meta-data/")
	assert.ErrorContains(t, err, "169.254.169.254 is an address that gives credentials")

	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	r, err := Client("http://functions.example", 0).Get(s.URL)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
}

// TestRedirectsAreAnswers: whom the operator named does not choose where a request goes next.
func TestRedirectsAreAnswers(t *testing.T) {
	asked := false
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked = true
	}))
	defer inner.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := httptest.NewServer(http.RedirectHandler(inner.URL, status))
		r, err := Client(s.URL, 0).Post(s.URL, "application/json", http.NoBody)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		assert.Equal(t, status, r.StatusCode)
		s.Close()
	}
	assert.False(t, asked)
}

func TestFollow(t *testing.T) {
	const bucket = "https://bucket.s3.amazonaws.com/key"
	for _, c := range []struct {
		name, from, to string
		times          int
		follows        bool
	}{
		{"to the bucket's region", bucket, "https://bucket.s3.eu-west-1.amazonaws.com/key", 1, true},
		{"in China", "https://s3.cn-north-1.amazonaws.com.cn", "https://b.s3.cn-north-1.amazonaws.com.cn", 1,
			true},
		{"again and again", bucket, bucket, maxRedirects + 1, false},
		{"away", bucket, "https://example.com", 1, false},
		{"to a name that looks like it", bucket, "https://xamazonaws.com", 1, false},
		{"without TLS", bucket, "http://bucket.s3.eu-west-1.amazonaws.com/key", 1, false},
		{"to a port", bucket, "https://bucket.s3.amazonaws.com:8443/key", 1, false},
		{"from elsewhere", "http://localhost:9000", bucket, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := func(text string) *http.Request {
				u, err := url.Parse(text)
				require.NoError(t, err)
				return &http.Request{URL: u}
			}
			via := make([]*http.Request, c.times)
			for i := range via {
				via[i] = at(c.from)
			}
			err := follow(at(c.to), via)
			assert.Equal(t, c.follows, err == nil)
		})
	}
}

func TestIsRegion(t *testing.T) {
	for text, want := range map[string]bool{
		"us-east-1": true, "ap-southeast-2": true, "us-gov-west-1": true, "us-isob-east-1": true,
		"cn-north-1": true, "eusc-de-east-1": true, "mx-central-1": true,
		"": false, "local": false, "aws-global": false, "us-east": false, "us-east-1.evil": false,
		"us-east-1/": false, "us-east-1#": false, "US-EAST-1": false, "us--1": false,
		"-us-east-1": false, "us-east-1@evil": false, "a-b-1234567890123456789012345678901": false, "ü-b-1": false,
	} {
		assert.Equal(t, want, IsRegion(text), text)
	}
}

func FuzzCheck(f *testing.F) {
	for _, a := range []string{"169.254.169.254:80", "[::ffff:a9fe:a9fe]:1", "[fe80::1%a]:1", "x",
		":1"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if check(address, netip.Addr{}) != nil {
			return
		}
		to, err := netip.ParseAddrPort(address)
		require.NoError(t, err)
		assert.False(t, to.Addr().Unmap().IsLinkLocalUnicast(), address)
	})
}
