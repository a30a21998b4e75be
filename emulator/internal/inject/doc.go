// Package inject applies faults to decoded requests. Faults is the stage of a request.
package inject
