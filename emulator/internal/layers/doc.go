// Package layers checks the order of the module's packages: imports only go down. It contains only
// the test of that order.
package layers
