package arn

import "slices"

// regions are the regions of DynamoDB as of November 2026 (AWS General Reference, "Amazon DynamoDB
// endpoints and quotas").
var regions = []string{
	"af-south-1",
	"ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
	"ap-south-2",
	"ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
	"ap-southeast-6", "ap-southeast-7",
	"ca-central-1", "ca-west-1",
	"cn-north-1", "cn-northwest-1",
	"eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1",
	"eu-west-2", "eu-west-3",
	"il-central-1",
	"me-central-1", "me-south-1",
	"mx-central-1",
	"sa-east-1",
	"us-east-1", "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2",
}

// HasPeer reports whether resources of the owner can be replicated to a region: it is one of the
// same partition. An owner in a made-up region, such as local, has all regions of the partition
// aws.
func (o Owner) HasPeer(region string) bool {
	return slices.Contains(regions, region) && Owner{Region: region}.Partition() == o.Partition()
}

// firstListed are the regions that the service's list of regions begins with. The rest of its order
// is not known (service facts T.16).
var firstListed = []string{
	"ap-south-2", "ap-south-1", "eu-south-1", "eu-south-2", "me-central-1", "il-central-1",
	"ca-central-1", "ap-east-2", "mx-central-1", "eu-central-1", "eu-central-2", "us-west-1",
}

// Peers returns the regions that resources of the owner can be replicated to, in the order in which
// errors list them.
func (o Owner) Peers() (peers []string) {
	rest := slices.DeleteFunc(slices.Clone(regions), func(region string) bool {
		return slices.Contains(firstListed, region)
	})
	for _, region := range slices.Concat(firstListed, rest) {
		if o.HasPeer(region) {
			peers = append(peers, region)
		}
	}
	return peers
}
