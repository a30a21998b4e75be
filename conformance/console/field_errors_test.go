package console

import "testing"

// TestErrorsAtTheirField: what the server says of a form stands at the field that it is about,
// which then has the focus, and goes once the field is mended.
func TestErrorsAtTheirField(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	for i, c := range []struct {
		name, address, button string
		fill                  [][2]string
		field, says           string
	}{
		{"a name that is too short", "#/tables", "Create table", [][2]string{{"Name", "ab"}},
			"Name", "Member must have length greater than or equal to 3"},
		{"a table that is there", "#/tables", "Create table", [][2]string{{"Name", "shop"}},
			"Name", "Table already exists: shop"},
		{"too much throughput", "#/tables", "Create table",
			[][2]string{{"Name", "more"}, {"", "Provisioned"},
				{"Write capacity units", "99999999"}},
			"Write capacity units", "above the per table maximum"},
		{"no throughput", "#/tables", "Create table",
			[][2]string{{"Name", "none"}, {"", "Provisioned"}, {"Read capacity units", "0"}},
			"Read capacity units", "Member must have value greater than or equal to 1"},
		{"the name of an index", "#/tables", "Create table",
			[][2]string{{"Name", "odd"}, {"", "Add an index"}, {"Name of the index", "x"},
				{"Partition key of the index", "a"}},
			"Name of the index", "'globalSecondaryIndexes.1.member.indexName'"},
		{"an index that is there", "#/tables/shop/info", "Add an index",
			[][2]string{{"Name of the index", "by-state"}, {"proposed", "a"}},
			"Name of the index", "an index which already exists"},
		{"a short index", "#/tables/shop/info", "Add an index",
			[][2]string{{"Name of the index", "b"}, {"proposed", "a"}},
			"Name of the index", "Member must have length greater than or equal to 3"},
		{"a backup", "#/tables/shop/info", "Back up", [][2]string{{"Name of the backup", "x"}},
			"Name of the backup", "'backupName'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sample(t, i, 2)
			p := open(t, s, c.address)
			p.click("button", c.button)
			for _, fill := range c.fill {
				switch fill[0] {
				case "":
					p.click("button", fill[1])
				case "proposed":
					p.write("Partition key of the index", fill[1])
				default:
					p.fill(fill[0], fill[1])
				}
			}
			p.press("Enter")
			p.see(c.says)
			p.hasFocus(c.field)
			p.accessible()
			p.picture("field-" + c.name)
			p.press("End")
			p.typed("9")
			p.miss(c.says)
		})
	}
}
