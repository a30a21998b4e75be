package definition

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// otherResource reads a resource that is no table: a stack within the stack, or a replica of a
// table. It notes others that change tables.
func (s *stack) otherResource(at place, name string, resource map[string]any) {
	r := s.reader
	kind, _ := resource["Type"].(string)
	properties, _ := resource["Properties"].(map[string]any)
	switch {
	case !readable(kind, properties):
		return
	case resource["Condition"] != nil:
		if holds, err := s.condition(resource["Condition"]); err != nil || !holds {
			if err != nil {
				r.note(at, "is left out: %v", err)
			}
			return
		}
	}
	switch kind {
	case nestedStack, nestedApplication:
		if err := s.nestedTemplate(at, name, resource); err != nil {
			r.note(at, "is left out: %v", err)
		}
	case cdkReplica:
		s.customReplica(at, properties)
	default:
		r.note(at, "%s is not read", kind)
	}
}

// readable reports whether a resource may say something of a table.
func readable(kind string, properties map[string]any) bool {
	switch kind {
	case "AWS::ApplicationAutoScaling::ScalableTarget":
		return properties["ServiceNamespace"] == "dynamodb"
	case nestedStack, nestedApplication, cdkReplica:
		return true
	}
	return strings.HasPrefix(kind, "AWS::DynamoDB::") || strings.HasPrefix(kind, "Custom::") &&
		strings.Contains(kind, "DynamoDB")
}

// customReplica is a replica that the CDK's construct Table adds to its table.
type customReplica struct {
	at            place
	table, region string
}

func (s *stack) customReplica(at place, properties map[string]any) {
	r := s.reader
	table, err := s.eval(properties["TableName"])
	if err != nil {
		r.note(at, "is left out: %v", err)
		return
	}
	region, err := s.eval(properties["Region"])
	if err != nil {
		r.note(at, "is left out: %v", err)
		return
	}
	for _, name := range sortedKeys(properties) {
		switch name {
		case "TableName", "Region", "ServiceToken", "SkipReplicationCompleted",
			"SkipReplicaDeletion": // how to wait, and what to do at the end
		default:
			r.note(r.lines.member(at, properties, name), "is not read")
		}
	}
	t, ok1 := table.(string)
	to, ok2 := region.(string)
	if !ok1 || !ok2 {
		r.note(at, "is left out: it has no TableName or no Region")
		return
	}
	s.replicas = append(s.replicas, customReplica{at, t, to})
}

// addReplicas adds the replicas of custom resources to the tables of the template.
func (s *stack) addReplicas() {
	r := s.reader
	for _, c := range s.replicas {
		i := slices.IndexFunc(r.tables,
			func(t Table) bool { return *t.Create.TableName == c.table })
		switch {
		case i < 0:
			r.note(c.at, "is left out: the template has no table %s", c.table)
		case c.region == r.Region || slices.Contains(r.tables[i].Replicas, c.region):
		default:
			r.tables[i].Replicas = append(r.tables[i].Replicas, c.region)
			r.tables[i].Create.StreamSpecification = imagesForReplicas(
				r.tables[i].Create.StreamSpecification)
		}
	}
}

func isStack(resource map[string]any) bool {
	return resource["Type"] == nestedStack || resource["Type"] == nestedApplication
}

// nestedTemplate reads the template of a stack within the stack, once, if it is a file beside it.
func (s *stack) nestedTemplate(at place, name string, resource map[string]any) error {
	r := s.reader
	if s.inner[name] != nil {
		return nil
	}
	if err := s.budget.Refer("stack " + name); err != nil {
		return err
	}
	defer s.budget.Leave()
	properties, _ := resource["Properties"].(map[string]any)
	file, err := s.nestedFile(resource, properties)
	if err != nil {
		return err
	}
	given, _ := s.collect(at, "Parameters", properties["Parameters"])
	for _, property := range sortedKeys(properties) {
		switch property {
		case "Location", "NotificationARNs", "Parameters", "Tags", "TemplateURL",
			"TimeoutInMinutes":
		default:
			r.note(r.lines.member(at, properties, property), "is not read")
		}
	}
	if properties["Tags"] != nil {
		r.note(r.lines.member(at, properties, "Tags"),
			"is not read: CloudFormation gives them to all resources of the stack")
	}
	own := *r
	own.Stack = s.name + "-" + name
	own.nested, _ = given.(map[string]any)
	own.Parameters = nil // the outermost stack has them
	own.within = append(slices.Clone(r.within), filepath.Clean(s.file))
	err = own.templateFile(file)
	r.tables, r.notes = own.tables, own.notes
	if err == nil {
		s.inner[name] = own.output
	}
	return err
}

// nestedFile returns the file of the template of a stack within the stack.
func (s *stack) nestedFile(resource, properties map[string]any) (string, error) {
	metadata, _ := resource["Metadata"].(map[string]any)
	location := properties["TemplateURL"]
	if resource["Type"] == nestedApplication {
		location = properties["Location"]
	}
	if asset, ok := metadata["aws:asset:path"].(string); ok { // the CDK says where it is
		location = asset
	}
	file, ok := location.(string)
	if !ok {
		file, ok = s.asset(location)
	}
	if !ok || strings.Contains(file, "://") {
		return "", errors.New("its template is no file beside this one")
	}
	file = filepath.Join(filepath.Dir(s.file), filepath.FromSlash(file))
	if slices.Contains(s.within, file) || file == filepath.Clean(s.file) {
		return "", fmt.Errorf("a circle: %s is within itself", file)
	}
	return file, nil
}

// asset returns the file of the CDK that is at a URL, by the manifests of the assets beside the
// template. The URL ends with the hash of the file.
func (s *stack) asset(url any) (file string, ok bool) {
	v, err := s.eval(url)
	text, isText := v.(string)
	if err != nil || !isText {
		return "", false
	}
	hash, _, _ := strings.Cut(path.Base(text), ".")
	dir := filepath.Dir(s.file)
	if s.assets[dir] == nil {
		s.assets[dir] = s.readAssets(dir)
	}
	file, ok = s.assets[dir][hash]
	return file, ok
}

// readAssets returns the files of the assets of the CDK in a directory, by their hashes.
func (r *reader) readAssets(dir string) map[string]string {
	all := map[string]string{}
	names, _ := fs.Glob(os.DirFS(dir), "*.assets.json")
	for _, name := range names {
		var manifest struct {
			Files map[string]struct{ Source struct{ Path string } }
		}
		content, err := readFile(r.ctx, filepath.Join(dir, name))
		if err != nil || r.budget.Bytes(int64(len(content))) != nil ||
			json.Unmarshal(content, &manifest) != nil {
			continue
		}
		for hash, asset := range manifest.Files {
			if asset.Source.Path != "" {
				all[hash] = asset.Source.Path
			}
		}
	}
	return all
}

// output returns an output of a stack within the stack.
func (s *stack) output(name string, resource map[string]any, output string) (any, error) {
	at := s.lines.member(place{s.file, 0, ""}, s.resources, name)
	if err := s.nestedTemplate(at, name, resource); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	v, err := s.inner[name](output)
	if err != nil {
		return nil, fmt.Errorf("the stack %s: %w", name, err)
	}
	return v, nil
}

// ownOutput returns an output of the template.
func (s *stack) ownOutput(name string) (any, error) {
	declared, _ := s.outputs[name].(map[string]any)
	if declared == nil {
		return nil, fmt.Errorf("there is no output %s", name)
	}
	v, err := s.eval(declared["Value"])
	if err != nil {
		return nil, fmt.Errorf("the output %s: %w", name, err)
	}
	return v, nil
}

// lowerFirst returns the name of a field as Amplify writes it: SSEEnabled is sseEnabled.
func lowerFirst(field string) string {
	runes := []rune(field)
	for i, c := range runes {
		if !unicode.IsUpper(c) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(c)
	}
	return string(runes)
}

// amplifyProperties are those of Amplify's table that say how its function changes it.
type amplifyProperties struct {
	ServiceToken, AllowDestructiveGraphqlSchemaUpdates, ReplaceTableUponGsiUpdate, IsImported any
}

// amplify takes the properties of Amplify's table, which has those of CloudFormation's with other
// names ("Custom::AmplifyDynamoDBTable").
func (p *tableProperties) amplify(c *coercer, at place, values map[string]any) {
	for i := range reflect.TypeFor[amplifyProperties]().NumField() {
		name := reflect.TypeFor[amplifyProperties]().Field(i).Name
		delete(values, name)
		delete(values, lowerFirst(name))
	}
	c.store(at, values, reflect.ValueOf(p).Elem())
}

// imagesForReplicas returns a stream with both images, which replicas need.
func imagesForReplicas(s *types.StreamSpecification) *types.StreamSpecification {
	if s != nil {
		return s
	}
	on := true
	return &types.StreamSpecification{
		StreamEnabled: &on, StreamViewType: types.StreamViewTypeNewAndOldImages,
	}
}
