package render

import "flag"

// Flags of TestGolden.
var (
	Update = flag.Bool("update", false, "write the golden files")
	Write  = flag.String("write", "", "a directory to write the files of all designs to")
)
