package render

import "flag"

// Update is the flag of tests that write what they compare.
var Update = flag.Bool("update", false, "write the golden files, and pack the templates")
