// Command blocks runs the code blocks of the documents, so that what a reader copies works.
//
//	go run ./conformance/cmd/blocks [FILE...]
//
// It runs in the root of the repository; without files it takes the README and the documents of
// the packages. Each document is a session of bash, in a directory and a home of its own and, where
// the system allows it, without a network. The README's session begins without a server and without
// AWS variables. The others begin with what the README's reader has by then.
//
//   - sh: the commands run in order. A server starts when its command comes, and takes the place of
//     the one before. So do indented lines that begin with a program. Another engine and a gateway
//     run beside it.
//   - text, right after sh: the last command before it prints this and may fail. "…" is any text.
//   - python, js, java: a test or a script that runs at its place in the session, with the packages
//     that the projects below conformance/clients pin. A script needs no name.
//   - go: a file is compiled, and its tests run. A snippet is compiled with the names of
//     snippet.go.txt.
//   - log: lines of a server's log; not run.
//   - ini: settings of another tool; not read.
//   - yaml, json: parsed. "kugiri policy check" checks a policy.
//
// A block is a file of the session if the line before it ends with the file's name in backquotes
// and a colon. The files of the README and of conventions/docs/start.md are there in all sessions.
// What cannot run is in leftout.go, with the reason. Tests in a language whose tools are missing
// are left out, too. What needs another engine runs if DYNAMODB_LOCAL names the directory with
// DynamoDB Local's jars.
package main
