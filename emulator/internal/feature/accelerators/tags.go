package accelerators

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// validTags checks tags of a request (API Reference, Tag; the lengths are those of all services).
func (x *call) validTags(tags []tag) error {
	for _, t := range tags {
		switch {
		case t.Key == "" || utf8.RuneCountInString(t.Key) > 128 ||
			utf8.RuneCountInString(t.Value) > 256:
			return badValue("The key of a tag has 1 to 128 characters, its value at most 256: %.99q",
				t.Key)
		case strings.HasPrefix(strings.ToLower(t.Key), "aws:"):
			return badValue("Keys of tags that begin with aws: are reserved: %.99q", t.Key)
		}
	}
	return nil
}

// withTags returns tags with others, which replace those with the same keys. More than maxTags are
// not all of them.
func withTags(tags, more []tag) []tag {
	for _, t := range more {
		if len(tags) > maxTags {
			break
		}
		at := slices.IndexFunc(tags, func(old tag) bool { return old.Key == t.Key })
		if at < 0 {
			tags = append(tags, t)
		} else {
			tags[at] = t
		}
	}
	return tags
}

// tagged returns the cluster of a request's ARN.
func (x *call) tagged() (*cluster, error) {
	prefix := x.ARN("dax", "cache/")
	name, ok := strings.CutPrefix(text(x.ResourceName), prefix)
	if !ok || identifier("", name, 20) != nil {
		return nil, faultf("InvalidARNFault", "%s [%.199s]", texts["InvalidARNFault"],
			text(x.ResourceName))
	}
	c := x.find(strings.ToLower(name), x.Now())
	switch {
	case c == nil:
		return nil, fault("ClusterNotFoundFault")
	case c.status(x.Now()) != available:
		return nil, fault("InvalidClusterStateFault")
	}
	return c, nil
}

func (c *cluster) tagsObject() object {
	return object{"Tags": append([]tag{}, c.Tags...)}
}

func tagResource(x *call) (object, error) {
	c, err := x.tagged()
	if err == nil {
		err = x.validTags(x.Tags)
	}
	if err != nil {
		return nil, err
	}
	if c.Tags = withTags(c.Tags, x.Tags); len(c.Tags) > maxTags {
		return nil, fault("TagQuotaPerResourceExceeded")
	}
	return c.tagsObject(), nil
}

func untagResource(x *call) (object, error) {
	c, err := x.tagged()
	if err != nil {
		return nil, err
	}
	for _, key := range x.TagKeys {
		at := slices.IndexFunc(c.Tags, func(t tag) bool { return t.Key == key })
		if at < 0 {
			return nil, fault("TagNotFoundFault")
		}
		c.Tags = slices.Delete(c.Tags, at, at+1)
	}
	return c.tagsObject(), nil
}

// listTags has one page: a cluster has few tags.
func listTags(x *call) (object, error) {
	c, err := x.tagged()
	switch {
	case err != nil:
		return nil, err
	case text(x.NextToken) != "":
		return nil, badValue("The specified NextToken is not valid.")
	}
	return c.tagsObject(), nil
}

// describeEvents lists the events of the last 24 hours, or of the interval that the request names
// (API Reference, DescribeEvents), the latest first.
func describeEvents(x *call) (object, error) {
	switch text(x.SourceType) {
	case "", "CLUSTER", "PARAMETER_GROUP", "SUBNET_GROUP":
	default:
		return nil, badValue("Unknown source type: %.99q", text(x.SourceType))
	}
	from, to, err := x.interval()
	if err != nil {
		return nil, err
	}
	var list []event
	for _, e := range slices.Backward(x.Events) {
		if e.Date.After(x.Now()) || e.Date.Before(from) || e.Date.After(to) ||
			x.SourceName != nil && *x.SourceName != e.Source ||
			x.SourceType != nil && *x.SourceType != e.Type {
			continue
		}
		list = append(list, e)
	}
	return page(x, "Events", list, event.object)
}

func (e event) object() object {
	return object{"SourceName": e.Source, "SourceType": e.Type, "Message": e.Message,
		"Date": seconds(e.Date)}
}

func (x *call) interval() (from, to time.Time, err error) {
	at := func(s *float64) time.Time { return time.UnixMilli(int64(*s * 1000)) }
	length := 24 * time.Hour
	if x.Duration != nil {
		if most := int(eventDays / time.Minute); *x.Duration < 1 || *x.Duration > most {
			return from, to, badValue("Duration is 1 to %d minutes.", most)
		}
		length = time.Duration(*x.Duration) * time.Minute
	}
	to = x.Now()
	switch {
	case x.StartTime != nil && x.EndTime != nil && x.Duration != nil:
		return from, to, badCombination("StartTime, EndTime and Duration cannot be given together.")
	case x.StartTime != nil:
		if from = at(x.StartTime); x.EndTime != nil {
			to = at(x.EndTime)
		} else if x.Duration != nil {
			to = from.Add(length)
		}
	default:
		if x.EndTime != nil {
			to = at(x.EndTime)
		}
		from = to.Add(-length)
	}
	switch {
	case to.Before(from):
		err = badValue("StartTime is after EndTime.")
	case x.Now().Sub(from) > eventDays:
		err = badValue("Events of the last 14 days are there.")
	}
	return from, to, err
}
