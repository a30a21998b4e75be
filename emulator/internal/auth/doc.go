// Package auth reads and verifies the identity of a request's sender.
//
//   - A signature holds the parts of a request's signature (AWS General Reference, "Signature
//     Version 4"). The Credential in it has the access key and the region.
//   - A caller is the Credential of unsigned requests in this process.
//   - Secrets verify signatures: Admit checks the parts that do not depend on the body, and Verify
//     the rest.
package auth
