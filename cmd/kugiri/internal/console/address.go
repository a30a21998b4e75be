package console

// Address returns the address of the console of a server, for somebody who has a token, "" for
// none. The page takes the token from the fragment.
func Address(server, token string) string {
	if token == "" {
		return server + Path
	}
	return server + Path + "#token=" + token
}
