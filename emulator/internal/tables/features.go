package tables

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// Errors of CreateTable and UpdateTable for a view type that is missing or must not be there.
const (
	CreateNeedsView   = "Table is being created with a stream enabled, UpdateViewType is required"
	CreateRefusesView = "Table is being created with a stream disabled, UpdateViewType should not be specified"
	UpdateNeedsView   = "If stream is being enabled then UpdateViewType is required"
	UpdateRefusesView = "If stream is being disabled, then UpdateViewType must not be specified"
)

// CheckStream checks a StreamSpecification by itself.
func CheckStream(s *api.StreamSpecification, missing, needless string) error {
	switch {
	case s == nil:
		return nil
	case *s.StreamEnabled && s.StreamViewType == nil:
		return apierr.BadParameter(missing)
	case !*s.StreamEnabled && s.StreamViewType != nil:
		return apierr.BadParameter(needless)
	}
	return nil
}

// NewStream returns a stream that is enabled at a point in time. The time becomes its name.
func NewStream(s *api.StreamSpecification, now time.Time) streamSettings {
	if s == nil || !*s.StreamEnabled {
		return streamSettings{}
	}
	return streamSettings{
		Enabled: true, view: *api.Clone(s.StreamViewType), label: now.UTC().Format(labelForm),
	}
}

// Label returns the label of a stream, or "" if there never was one.
func (s *streamSettings) Label() string { return s.label }

// labelForm is the form of a stream's label.
const labelForm = "2006-01-02T15:04:05.000"

// StartStream begins the stream of a table's settings. A label has a resolution of one millisecond;
// if the label of now is taken, StartStream uses the next free one.
func StartStream(tx *storage.Tx, t *storage.Table, s *streamSettings, now time.Time) {
	if !s.Enabled {
		return
	}
	for at := now.UTC(); ; at = at.Add(time.Millisecond) {
		s.label = at.Format(labelForm)
		if tx.Streams().ByLabel(t.Name, s.label) == nil {
			break
		}
	}
	tx.Streams().Enable(t, s.label, string(s.view))
}

// CheckEncryption checks an SSESpecification by itself; at is the path of its member.
func CheckEncryption(s *api.SSESpecification, at string) error {
	switch {
	case s == nil:
		return nil
	// the service's model has this bound, the public one has not
	case s.KMSMasterKeyId != nil && *s.KMSMasterKeyId == "":
		return apierr.Invalid(
			"1 validation error detected: Value '' at '%s.kMSMasterKeyId' failed to satisfy constraint: "+
				"Member must have length greater than or equal to 1", at)
	case s.SSEType != nil && s.Enabled != nil && !*s.Enabled: // ack-api-quirks, DDB-TABLE-036
		return apierr.BadParameter("SSEType can not be specified if Enabled is false")
	case s.SSEType != nil && *s.SSEType != "KMS":
		return apierr.BadParameter("SSEType %s is not supported", *s.SSEType)
	case s.KMSMasterKeyId != nil && s.Enabled != nil && !*s.Enabled:
		return apierr.BadParameter("KMSMasterKeyId can not be specified if Enabled is false")
	case s.KMSMasterKeyId != nil && s.SSEType == nil:
		return apierr.BadParameter("SSEType KMS is required if KMSMasterKeyId is specified")
	}
	return nil
}

// managedKey is the key that AWS manages (API Reference, SSESpecification, KMSMasterKeyId).
const managedKey = "alias/aws/dynamodb"

// NewEncryption returns the encryption that an SSESpecification asks for.
func NewEncryption(o arn.Owner, s *api.SSESpecification) encryption {
	if s == nil || s.Enabled == nil && s.SSEType == nil || s.Enabled != nil && !*s.Enabled {
		return encryption{}
	}
	key := managedKey
	if s.KMSMasterKeyId != nil {
		key = *s.KMSMasterKeyId
	}
	return EncryptionWith(o, key)
}

// EncryptionWith returns the encryption with a KMS key that is given by ID, alias or ARN.
func EncryptionWith(o arn.Owner, key string) encryption { return encryption{Key: keyARN(o, key)} }

// Managed reports whether the key is the one that AWS manages for DynamoDB in the account.
func (e encryption) Managed() bool {
	part := strings.SplitN(e.Key, ":", 6)
	return len(part) == 6 &&
		e.Key == keyARN(arn.Owner{Account: part[4], Region: part[3]}, managedKey)
}

// CustomerManaged reports whether the key is one that the account made.
func (e encryption) CustomerManaged() bool { return e.Key != "" && !e.Managed() }

// CustomerKey returns the ARN of a key that the account made, "" for another one.
func (e encryption) CustomerKey() string {
	if e.CustomerManaged() {
		return e.Key
	}
	return ""
}

// keyARN returns the ARN of a KMS key that is given by ID, alias or ARN. The emulator has no KMS,
// so it derives the key of an alias from the alias's name.
func keyARN(o arn.Owner, key string) string {
	if strings.HasPrefix(key, "arn:") && !strings.Contains(key, ":alias/") {
		return strings.Clone(key)
	}
	id := key
	if i := strings.Index(key, "alias/"); i >= 0 {
		h := sha256.Sum256([]byte(o.ARN("kms", key[i:])))
		id = fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
	}
	return o.ARN("kms", "key/"+id)
}

// Developer Guide, "Tagging restrictions in DynamoDB".
const (
	maxTags     = 50
	maxTagKey   = 128 // characters
	maxTagValue = 256 // characters
)

// CheckTags checks tags that a request adds (ack-api-quirks, DDB-TABLE-107 and 457).
func CheckTags(tags []api.Tag) error {
	seen := map[string]bool{}
	for _, t := range tags {
		if err := checkTagKey(t.Key); err != nil {
			return err
		}
		if t.Value == nil || !isTagText(*t.Value, maxTagValue) {
			return apierr.Invalid("The Tag Value provided is invalid, Value: %s", orNull(t.Value))
		}
		if seen[*t.Key] {
			return apierr.Invalid(
				"Duplicate Tag Keys provided as input: Duplicate Tag Key found %s", *t.Key)
		}
		seen[*t.Key] = true
	}
	return nil
}

// CheckTagKeys checks the keys of tags that a request removes (service facts T.18).
func CheckTagKeys(keys []string) error {
	if len(keys) > maxTags {
		return errManyTags
	}
	for i := range keys {
		if err := checkTagKey(&keys[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkTagKey checks the key of a tag that a request adds or removes. Those of AWS are refused in
// any case (service facts T.17).
func checkTagKey(key *string) error {
	const reserved = "aws:"
	if key == nil || *key == "" || !isTagText(*key, maxTagKey) {
		return apierr.Invalid("The Tag Key provided is invalid, Key: %s", orNull(key))
	}
	if len(*key) >= len(reserved) && strings.EqualFold((*key)[:len(reserved)], reserved) {
		return apierr.Invalid("Tag Key cannot be prefixed with aws:, Key: %s", *key)
	}
	return nil
}

func orNull(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}

// isTagText reports whether a tag may have a text: letters, white space, numbers and some
// characters, at most so many. (The guide does not list @, which tags of all services may have: AWS
// General Reference, "Tagging".)
func isTagText(text string, most int) bool {
	return utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) &&
			!unicode.Is(unicode.Z, r) && !strings.ContainsRune("+-=._:/@", r)
	})
}

// Tagged returns tags with more added, which CheckTags has checked. A tag of more replaces one with
// the same key.
func Tagged(tags, more []api.Tag) ([]api.Tag, error) {
	if len(more) > maxTags {
		return nil, errManyTags
	}
	tags = slices.Clone(tags)
	for _, t := range more {
		t = api.Tag{Key: api.Clone(t.Key), Value: api.Clone(t.Value)}
		if i := slices.IndexFunc(tags,
			func(old api.Tag) bool { return *old.Key == *t.Key }); i >= 0 {
			tags[i] = t
		} else {
			tags = append(tags, t)
		}
	}
	if len(tags) > maxTags {
		return nil, errManyTags
	}
	size := 0
	for _, t := range tags {
		size += len(*t.Key) + len(*t.Value)
	}
	if size > maxTagBytes { // ack-api-quirks, DDB-TABLE-109
		return nil, apierr.Invalid("Tag set size %d bytes is above max size limit of %d bytes",
			size, maxTagBytes)
	}
	return tags, nil
}

// maxTagBytes is the most that the keys and values of all tags of a table may have together.
const maxTagBytes = 10240

var errManyTags = apierr.Invalid(
	"Number of Tags exceed the current limit for the provided ResourceArn")

// streamSettings is a table's stream. A stream that is disabled keeps its label.
type streamSettings struct {
	Enabled bool
	view    api.StreamViewType
	label   string // "" if there never was a stream
}

// encryption is server-side encryption with a KMS key; without one, DynamoDB's own key is used.
type encryption struct {
	Key    string    // ARN; "" for DynamoDB's own
	Before string    // the old key
	Turn   time.Time // the new key shows from then on
	State  Transition
}

// Encrypt changes the key, which takes a while: the new one shows after two fifths of it
// (ack-api-quirks, DDB-TABLE-140, -361 and -371).
func (e *encryption) Encrypt(with encryption, now time.Time, delay time.Duration) {
	with.Before, with.Turn = e.Key, now.Add(2*delay/5)
	with.State = Transition{Status: Updating, Until: now.Add(delay)}
	*e = with
}

// Repeats reports whether a request asks for the encryption that there is. An alias, an ID and no
// key at all encrypt the table again, with whatever key it has (ack-api-quirks, DDB-TABLE-082 and
// -141).
func (e *encryption) Repeats(with encryption, s *api.SSESpecification) bool {
	named := api.Deref(s.KMSMasterKeyId)
	return e.Key == with.Key && (e.Key == "" || named == e.Key)
}

// given returns the encryption in the form of a request, or nil for DynamoDB's own key.
func (e *encryption) given() *api.SSESpecification {
	if e.Key == "" {
		return nil
	}
	return &api.SSESpecification{
		Enabled: api.Ref(true), SSEType: api.Ref(api.SSEType("KMS")),
		KMSMasterKeyId: api.Ref(e.Key),
	}
}

// TableClass is the class of a table, empty if it was never given.
type TableClass struct {
	Class   api.TableClass
	Changed time.Time
	Before  *OldClass // the class before the change that is going on
}

// OldClass is the class that a table had before, empty if none was given.
type OldClass struct {
	Class   api.TableClass
	Changed time.Time
}

type classRecord struct {
	Class   api.TableClass
	Changed storage.Instant
	Before  *oldClassRecord `json:",omitempty"`
}

type oldClassRecord struct {
	Class   api.TableClass
	Changed storage.Instant
}

func recordClass(c TableClass) classRecord {
	r := classRecord{Class: c.Class, Changed: storage.InstantOf(c.Changed)}
	if c.Before != nil {
		r.Before = &oldClassRecord{c.Before.Class, storage.InstantOf(c.Before.Changed)}
	}
	return r
}

func (r classRecord) class() TableClass {
	c := TableClass{Class: r.Class, Changed: r.Changed.Time()}
	if r.Before != nil {
		c.Before = &OldClass{r.Before.Class, r.Before.Changed.Time()}
	}
	return c
}
