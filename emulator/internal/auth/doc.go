// Package auth reads and verifies who sends a request.
//
//   - A signature is what a request says of its signature (AWS General Reference, "Signature
//     Version 4"). The Credential in it tells the access key and the region.
//   - A caller is the Credential of unsigned requests in this process.
//   - Secrets verify signatures: Admit checks what does not depend on the body, and Verify the rest.
package auth
