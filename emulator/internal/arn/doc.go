// Package arn names resources by their ARNs.
package arn
