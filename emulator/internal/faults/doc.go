// Package faults holds the faults that are injected into a service, and those that apply to a
// request while its operation runs. Package fault says which there are; package inject applies
// them.
package faults
