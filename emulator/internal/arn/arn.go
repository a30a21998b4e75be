package arn

import "strings"

// Owner is the account and the region that resources belong to.
type Owner struct {
	Account string // 12 digits
	Region  string
}

// In returns the owner of the same account's resources in a region.
func (o Owner) In(region string) Owner { return Owner{o.Account, region} }

// ARN names a resource of a service that belongs to the owner.
func (o Owner) ARN(service, resource string) string {
	return "arn:" + o.Partition() + ":" + service + ":" + o.Region + ":" + o.Account + ":" +
		resource
}

// TableARN is the ARN of a table.
func (o Owner) TableARN(table string) string { return o.ARN("dynamodb", "table/"+table) }

// IndexARN is the ARN of an index of a table.
func (o Owner) IndexARN(table, index string) string { return o.TableARN(table) + "/index/" + index }

// StreamARN is the ARN of the stream of a table that has a label.
func (o Owner) StreamARN(table, label string) string {
	return o.TableARN(table) + "/stream/" + label
}

// Partition is the part of AWS that the region belongs to (AWS General Reference, "Amazon Resource
// Names").
func (o Owner) Partition() string {
	switch {
	case strings.HasPrefix(o.Region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(o.Region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}
