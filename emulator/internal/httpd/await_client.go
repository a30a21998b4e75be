package httpd

import "net/http"

// longAnswer is from how many bytes on an answer is worth the wait of AwaitClient.
const longAnswer = 64 << 10

// AwaitClient gives a client on the same machine the time to be done with its request before a long
// answer comes. The AWS SDK for Go closes a request's body as soon as it has the headers of the
// answer. net/http's transport writes the body, and looks afterwards, in another goroutine, whether
// it has an end; if the SDK has closed it meanwhile, that is an error, for which the transport closes
// the connection in the middle of the answer ("use of closed network connection", aws-sdk-go-v2
// issue 2737).
//
// A server cannot rule that out. The last that the client sends is the last byte of the body, and
// its system call returns once the kernel has that byte; from there to the end of the body nothing
// goes over the connection that the server could wait for, and whatever the server sends before
// the headers (100 Continue, other interim answers) changes nothing of that. TestInterruptedClient
// has the client interrupted at that place, for any length of time. So this only makes it
// unlikely, by letting the client's threads run first: with a client and scans of 900 KB, one in
// eight is lost without it and fewer than one in a thousand with it. Of answers of 5 to 30 KB, for
// which giving way would be an eighth of the work, one in five hundred to a thousand is. An HTTPClient has no
// connection to lose.
func AwaitClient(w http.ResponseWriter, answer int) {
	if _, inProcess := w.(*Exchange); inProcess || answer < longAnswer {
		return
	}
	for range 5 {
		yield()
	}
}
