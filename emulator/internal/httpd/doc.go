// Package httpd is the part of the server that knows HTTP and nothing of operations.
//
//   - Conns are the connections of a server: they end those on which nothing goes on.
//   - A Request is the memory of a request, with its body. Transit bounds what large bodies take.
//   - A turn is for the work on one large body, so that small requests do not wait behind many.
//   - A coding compresses bodies and decompresses them.
//   - Origins are those whose scripts may call the service from a browser.
//   - An Exchange answers a request in the same process, without a connection.
package httpd
