// Package outgoing holds the rule for the addresses that a server connects to while it serves
// requests: functions of triggers, buckets in S3, streams of Kinesis, the endpoint of a console or
// of a gateway.
//
//   - Only the operator names hosts, by a flag or in code. A request names none. The one part of a
//     request that becomes a part of a host is a region, for endpoints of AWS: IsRegion says what
//     can be one.
//   - An answer leads nowhere: redirects are not followed, but from a host of AWS to another one.
//   - Nothing connects to link-local addresses or to the metadata services of clouds, which give
//     credentials to whoever asks, also if a name resolves to them (DNS rebinding). The operator may
//     name such an address by its number.
//
// Behind a proxy of the environment (HTTPS_PROXY) the proxy connects, so the last rule is its own.
package outgoing
