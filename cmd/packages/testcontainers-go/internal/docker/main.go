// Command docker serves the part of the Docker API that testcontainers needs, so that its modules
// can be tested where there is no Docker. A container is a process of one program, whatever its
// image; the port 8000 is where it says that it listens.
//
//	docker SOCKET PROGRAM
package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: docker SOCKET PROGRAM")
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	d := &daemon{program: os.Args[2], containers: map[string]*container{}}
	log.Fatal(http.Serve(listener, d.handler()))
}

type daemon struct {
	program string

	mu         sync.Mutex // protects the containers
	containers map[string]*container
}

// container is a container that a client has created, with its process once it is started.
type container struct {
	id     string
	config struct {
		Image        string
		Cmd, Env     []string
		ExposedPorts map[string]struct{}
	}
	root    string // directory of its files
	process *exec.Cmd
	port    string // at 127.0.0.1
}

// handler routes requests without their version.
func (d *daemon) handler() http.Handler {
	mux := http.NewServeMux()
	empty := func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{})
	}
	mux.HandleFunc("GET /_ping", empty)
	mux.HandleFunc("GET /info", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK,
			map[string]any{"OSType": "linux", "OperatingSystem": "none", "MemTotal": 1 << 30})
	})
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"ApiVersion": apiVersion, "Os": "linux"})
	})
	mux.HandleFunc("GET /networks", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, []any{map[string]any{"Name": "bridge", "Id": "bridge"}})
	})
	mux.HandleFunc("POST /networks/prune", empty)
	mux.HandleFunc("POST /volumes/prune", empty)
	mux.HandleFunc("POST /images/prune", empty)
	mux.HandleFunc("GET /images/json",
		func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, []any{}) })
	// and /json
	mux.HandleFunc("GET /images/{name...}", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"Created": "2026-11-23T00:00:00Z"})
	})
	mux.HandleFunc("GET /containers/json", d.list)
	mux.HandleFunc("POST /containers/create", d.create)
	for route, handle := range map[string]func(*container, http.ResponseWriter,
		*http.Request) error{
		"PUT /containers/{id}/archive": d.extract,
		"POST /containers/{id}/start":  d.start,
		"GET /containers/{id}/json":    d.inspect,
		"GET /containers/{id}/logs":    d.logs,
		"POST /containers/{id}/stop":   d.stop,
		"POST /containers/{id}/kill":   d.stop,
		"DELETE /containers/{id}":      d.remove,
	} {
		mux.HandleFunc(route, d.found(handle))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", apiVersion)
		w.Header().Set("Ostype", "linux")
		if version, rest, cut := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v"), "/"); cut &&
			strings.HasPrefix(version, "1.") {
			r.URL.Path = "/" + rest
		}
		if _, route := mux.Handler(r); route == "" {
			log.Println("there is no", r.Method, r.URL)
		}
		mux.ServeHTTP(w, r)
	})
}

const apiVersion = "1.47"

// networks are those of each container.
var networks = map[string]any{"bridge": map[string]any{"Gateway": "127.0.0.1"}}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}

// found looks for the container of a request, and replies with the error of handle.
func (d *daemon) found(
	handle func(*container, http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		c, ok := d.containers[r.PathValue("id")]
		if !ok {
			reply(w, http.StatusNotFound, map[string]string{"message": "no such container"})
		} else if err := handle(c, w, r); err != nil {
			reply(w, http.StatusInternalServerError, map[string]string{"message": err.Error()})
		}
	}
}

func (d *daemon) create(w http.ResponseWriter, r *http.Request) {
	c := &container{id: strings.ToLower(rand.Text())}
	err := json.NewDecoder(r.Body).Decode(&c.config)
	if err == nil {
		c.root, err = os.MkdirTemp("", "container-")
	}
	if err != nil {
		reply(w, http.StatusBadRequest, map[string]string{"message": err.Error()})
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.containers[c.id] = c
	reply(w, http.StatusCreated, map[string]any{"Id": c.id, "Warnings": []string{}})
}

// list lists the containers, or the one whose identifier a filter names.
func (d *daemon) list(w http.ResponseWriter, r *http.Request) {
	var filters struct{ ID []string }
	if text := r.URL.Query().Get("filters"); text != "" {
		if err := json.Unmarshal([]byte(text), &filters); err != nil {
			reply(w, http.StatusBadRequest, map[string]string{"message": err.Error()})
			return
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := []any{}
	for id, c := range d.containers {
		if len(filters.ID) == 0 || slices.Contains(filters.ID, id) {
			found = append(
				found, map[string]any{"Id": id, "Names": []string{"/" + id},
					"Image":           c.config.Image,
					"HostConfig":      map[string]any{"NetworkMode": "bridge"},
					"NetworkSettings": map[string]any{"Networks": networks}})
		}
	}
	reply(w, http.StatusOK, found)
}

// extract unpacks files that are copied into the container.
func (d *daemon) extract(c *container, w http.ResponseWriter, r *http.Request) error {
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	target, err := url.QueryUnescape(r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	body := bufio.NewReader(r.Body)
	archive := tar.NewReader(body)
	if start, err := body.Peek(2); err == nil && string(start) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		archive = tar.NewReader(unzipped)
	}
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpack(root, strings.TrimPrefix(filepath.Join(target, header.Name), "/"), header,
			archive); err != nil {
			return err
		}
	}
}

func unpack(root *os.Root, name string, header *tar.Header, content io.Reader) error {
	if header.FileInfo().IsDir() {
		return root.MkdirAll(name, 0o755)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := root.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(file, content)
	return err
}

// start runs the program in the environment that the image would give it.
func (d *daemon) start(c *container, w http.ResponseWriter, _ *http.Request) error {
	args := append([]string{}, c.config.Cmd...)
	for i, arg := range args {
		args[i] = c.inRoot(arg)
	}
	c.process = exec.Command(d.program, args...)
	c.process.Env = []string{"KUGIRI_HOST=127.0.0.1", "KUGIRI_PORT=0", "KUGIRI_CONSOLE=true"}
	for _, variable := range c.config.Env {
		name, value, _ := strings.Cut(variable, "=")
		c.process.Env = append(c.process.Env, name+"="+c.inRoot(value))
	}
	c.process.Stderr = os.Stderr
	stdout, err := c.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "listening at http://"); found {
			go io.Copy(io.Discard, stdout) // ends with the process
			_, c.port, err = net.SplitHostPort(strings.Fields(address)[0])
			w.WriteHeader(http.StatusNoContent)
			return err
		}
	}
	return fmt.Errorf("%s %q ended before it listened", d.program, args)
}

// inRoot returns where a path of the container is on this machine, and any other word as it is.
func (c *container) inRoot(word string) string {
	if strings.HasPrefix(word, "/") {
		return filepath.Join(c.root, word)
	}
	return word
}

// inspect says where the exposed port is.
func (d *daemon) inspect(c *container, w http.ResponseWriter, _ *http.Request) error {
	ports := map[string]any{}
	if _, exposed := c.config.ExposedPorts["8000/tcp"]; exposed && c.port != "" {
		ports["8000/tcp"] = []map[string]string{{"HostIp": "127.0.0.1", "HostPort": c.port}}
	}
	status := map[bool]string{true: "running", false: "created"}[c.port != ""]
	reply(w, http.StatusOK, map[string]any{
		"Id": c.id, "Name": "/" + c.id, "Config": c.config,
		"HostConfig":      map[string]any{"NetworkMode": "bridge"},
		"State":           map[string]any{"Status": status, "Running": c.port != ""},
		"NetworkSettings": map[string]any{"Ports": ports, "Networks": networks},
	})
	return nil
}

func (d *daemon) logs(_ *container, w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusOK)
	return nil
}

func (d *daemon) stop(c *container, w http.ResponseWriter, _ *http.Request) error {
	if c.process != nil && c.port != "" {
		c.port = ""
		_ = c.process.Process.Kill() // it may have ended
		_ = c.process.Wait()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (d *daemon) remove(c *container, w http.ResponseWriter, r *http.Request) error {
	delete(d.containers, c.id)
	return errors.Join(d.stop(c, w, r), os.RemoveAll(c.root))
}
