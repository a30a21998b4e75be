package httpd

import "net/http"

// longAnswer is the smallest number of bytes of an answer for which AwaitClient waits.
const longAnswer = 64 << 10

// AwaitClient gives a client on the same machine time to finish its request before a long answer
// arrives. The AWS SDK for Go closes a request's body as soon as it has the headers of the answer.
// net/http's transport writes the body and then checks, in another goroutine, that the body has
// ended. If the SDK has closed the body by then, the transport sees an error and closes the
// connection in the middle of the answer ("use of closed network connection", aws-sdk-go-v2 issue
// 2737).
//
// A server cannot rule that out. The last thing that the client sends is the last byte of the body,
// and its system call returns once the kernel has that byte. After that, nothing goes over the
// connection that the server could wait for, and interim answers such as 100 Continue do not help.
// TestInterruptedClient interrupts the client at that place for any length of time. AwaitClient
// therefore only makes the error unlikely: it lets the client's threads run first. With one client
// and scans of 900 KB, one answer in eight is lost without it and fewer than one in a thousand with
// it. AwaitClient does not wait for answers of 5 to 30 KB: waiting would be an eighth of their
// work, and one in five hundred to a thousand is lost. An HTTPClient has no connection to lose.
func AwaitClient(w http.ResponseWriter, answer int) {
	if _, inProcess := w.(*Exchange); inProcess || answer < longAnswer {
		return
	}
	for range 5 {
		yield()
	}
}
