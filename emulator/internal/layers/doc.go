// Package layers holds the order of the module's packages, in which imports only go down. It is
// nothing but the test of that order.
package layers
