package console

import "testing"

// TestPicturesOfTheReadme: the pages that the README shows. KUGIRI_PICTURES=.github/pictures makes
// the pictures, from the top of the repository.
func TestPicturesOfTheReadme(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.shop(t)
	const item = `%7B"pk":%7B"S":"CUSTOMER%232"%7D,"sk":%7B"S":"ORDER%231"%7D%7D`
	for _, scheme := range []string{"light", "dark"} {
		p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+item)
		p.prefers(scheme)
		p.see("9 items")
		p.see("Kyoto")
		p.await("navigation", "Follow")
		p.accessible()
		p.picture("console-" + scheme)
	}
}
