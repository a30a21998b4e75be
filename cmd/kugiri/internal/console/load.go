package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// Limits of files.
const (
	maxFile = 16 << 20 // bytes of a file with tables
	maxHCL  = 1 << 20  // bytes of one of Terraform
)

// serveLoad creates the tables of a file, with the items if the file has some. The file is the
// body, and its name a parameter. The answer has notes about what the file leaves open. Large files
// have their turn as designs do.
func serveLoad(e Endpoint, d *designs) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !mayWrite(w, r, e) {
			return
		}
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFile))
		as, ok := callerOf(w, r)
		if !ok {
			return
		}
		notes := []string{}
		if err == nil {
			notes, err = d.loads(r, &sender{e, as}, text)
		}
		if errors.Is(err, errDesignsWait) {
			fail(w, http.StatusServiceUnavailable, "LimitExceededException", err.Error())
			return
		}
		if err != nil {
			fail(w, http.StatusBadRequest, "FileException", err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// an error means that the client is gone
		json.NewEncoder(w).Encode(map[string][]string{"notes": notes})
	})
}

// loads is load once a large file has its turn.
func (d *designs) loads(r *http.Request, to *sender, text []byte) (notes []string, err error) {
	done, err := d.wait(r.Context(), len(text) <= smallText)
	if err != nil {
		return nil, err
	}
	defer done()
	return load(r, to, text)
}

// load creates the tables of a file. Definitions are read from disk, as other tools read them.
func load(r *http.Request, to *sender, text []byte) (notes []string, err error) {
	name := r.URL.Query().Get("name")
	if name == "" || len(name) > 255 || name != filepath.Base(name) {
		return nil, errors.New("the parameter name is the name of the file, without a directory")
	}
	dir, err := os.MkdirTemp("", "kugiri-console-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if filepath.Ext(name) == ".tf" && len(text) > maxHCL {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxHCL)
	}
	if name, text, err = withoutDesign(name, text); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	notes, err = create(r.Context(), to, file)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	for i := range notes {
		notes[i] = strings.ReplaceAll(notes[i], dir+string(filepath.Separator), "")
	}
	return notes, err
}

// withoutDesign returns a CreateTable request in place of a design, and other files as they are.
func withoutDesign(name string, text []byte) (string, []byte, error) {
	if extension := filepath.Ext(name); extension != ".yaml" && extension != ".yml" ||
		!strings.Contains("\n"+string(text), "\nmodels:") {
		return name, text, nil
	}
	plan, err := designfile.Plan(text)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err = json.Marshal(plan.CreateTable())
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".json", text, err
}

// create creates the tables that a file defines, and puts its items. None of the tables may be
// there.
func create(ctx context.Context, to *sender, file string) (notes []string, err error) {
	region := to.as.Region
	if region == "" {
		region = to.endpoint.Session().Region
	}
	none := func(string) (string, bool) { return "", false }
	d, err := definition.Read(ctx,
		definition.Values{Region: region, Account: "000000000000", Env: none}, file)
	if err != nil {
		return nil, err
	}
	d.Home()
	if err := d.LeftOut(); err != nil {
		return nil, err
	}
	client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String("http://localhost/"),
		Region: region, HTTPClient: to,
		Credentials: credentials.NewStaticCredentialsProvider("console", "console", "")})
	for i := range d.Tables {
		if err := createTable(ctx, client, &d.Tables[i]); err != nil {
			return nil, err
		}
	}
	for _, n := range d.Notes {
		notes = append(notes, n.String())
	}
	data, err := d.Seeds(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range data.Warnings() {
		notes = append(notes, w.String())
	}
	return notes, definition.Load(ctx, data, to)
}

func createTable(ctx context.Context, client *dynamodb.Client, t *definition.Table) error {
	_, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: t.Create.TableName})
	var missing *types.ResourceNotFoundException
	switch {
	case err == nil:
		return fmt.Errorf("%s: the table %s is there already", t.Place, *t.Create.TableName)
	case !errors.As(err, &missing):
		return err
	}
	plan, err := definition.NewPlan(ctx, client, t)
	if err != nil {
		return err
	}
	_, err = plan.Apply(ctx, client, pause)
	return err
}

// pause returns after d, or when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// sender sends requests of an SDK or of package seed to an endpoint, as a caller of the page.
type sender struct {
	endpoint Endpoint
	as       Caller
}

// Do sends a request.
func (s *sender) Do(r *http.Request) (*http.Response, error) {
	o, ok := operationOf(r)
	if !ok {
		return nil, errors.New("no operation of DynamoDB")
	}
	return s.endpoint.Send(r, s.as, o)
}
