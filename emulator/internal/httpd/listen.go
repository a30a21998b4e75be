package httpd

import (
	"errors"
	"net"
	"strconv"
	"syscall"
)

// Listen listens at a TCP address. For localhost it listens at the IPv4 and the IPv6 address, if
// the machine has both, with the same port.
func Listen(addr string) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host != "localhost" {
		l, err := net.Listen("tcp", addr)
		return []net.Listener{l}, err
	}
	for tries := 10; ; tries-- {
		both, err := listenLocal(port)
		if port != "0" || tries == 0 || !errors.Is(err, syscall.EADDRINUSE) {
			return both, err
		} // another process has the port that was free at one address at the other
	}
}

func listenLocal(port string) ([]net.Listener, error) {
	four, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", port))
	if errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT) {
		six, err := net.Listen("tcp6", net.JoinHostPort("::1", port))
		return []net.Listener{six}, err
	}
	if err != nil {
		return nil, err
	}
	if _, chosen, err := net.SplitHostPort(four.Addr().String()); err == nil {
		port = chosen
	}
	six, err := net.Listen("tcp6", net.JoinHostPort("::1", port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		four.Close()
		return nil, err
	case err != nil:
		return []net.Listener{four}, nil // there is no IPv6
	}
	return []net.Listener{four, six}, nil
}

// Reachable returns an address at which this machine can reach a listener, also if it listens
// everywhere.
func Reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}
