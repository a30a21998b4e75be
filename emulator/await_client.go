package emulator

import "net/http"

// longAnswer is from how many bytes on an answer is worth the wait of awaitClient.
const longAnswer = 64 << 10

// awaitClient gives a client on the same machine the time to be done with its
// request before a long answer comes. The AWS SDK for Go closes a request's body at
// the headers of the answer, and if net/http has not seen the end of the body by
// then, it closes the connection in the middle of the answer ("use of closed network
// connection", aws-sdk-go-v2 issue 2737). The longer an answer takes to make, the
// likelier its client is preempted so long: one scan of 900 KB in ten was lost, and
// with this it is less than one in a thousand. Of answers of 30 KB, for which
// giving way would be an eighth of the work, one in five hundred is, and the SDK asks again.
// An HTTPClient has no connection to lose.
func awaitClient(w http.ResponseWriter, answer int) {
	if _, inProcess := w.(*exchange); inProcess || answer < longAnswer {
		return
	}
	for range 5 {
		yield()
	}
}
