package bucket

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// Dir returns a Store in a directory. A bucket is a directory in it, which the user makes, and an
// object a regular file below that: the key's slashes separate directories. Keys that are no paths
// of files, such as "a//b" and "../a", are refused, and symbolic links that lead out of the
// directory are not followed. The buckets have no owners, and their objects no encryption.
func Dir(path string) Store { return dir{path: path} }

// Single returns a Store in which a directory itself is the bucket, whatever its name.
func Single(path string) Store { return dir{path, true} }

type dir struct {
	path   string
	single bool
}

// bucket opens the directory of a bucket.
func (d dir) bucket(name string) (*os.Root, error) {
	if d.single {
		return os.OpenRoot(d.path)
	}
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return nil, NoSuchBucket()
	}
	all, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	if info, err := all.Stat(name); err != nil || !info.IsDir() {
		return nil, NoSuchBucket()
	}
	return all.OpenRoot(name)
}

// object opens the bucket of an object, and returns the name of its file there.
func (d dir) object(at Place) (in *os.Root, name string, err error) {
	key := at.Key
	local := filepath.FromSlash(key)
	if in, err = d.bucket(at.Bucket); err != nil {
		return nil, "", err
	}
	if key == "." || !filepath.IsLocal(local) || filepath.ToSlash(filepath.Clean(local)) != key ||
		isTemporary(key) {
		in.Close()
		return nil, "", Refusal("InvalidKey", "A directory cannot hold an object with the key "+key,
			http.StatusBadRequest)
	}
	return in, local, nil
}

func (d dir) List(ctx context.Context, in transfers.Location) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		objects, err := d.list(ctx, in.Bucket, in.Prefix)
		if err != nil {
			yield(Object{}, err)
			return
		}
		for _, o := range objects {
			if !yield(o, nil) {
				return
			}
		}
	}
}

func (d dir) list(ctx context.Context, bucket, prefix string) (objects []Object, err error) {
	root, err := d.bucket(bucket)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(key string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if e.IsDir() {
			if key != "." && !strings.HasPrefix(key+"/", prefix) &&
				!strings.HasPrefix(prefix, key+"/") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasPrefix(key, prefix) || isTemporary(key) {
			return nil
		}
		if info := regular(root, filepath.FromSlash(key)); info != nil {
			objects = append(objects,
				Object{key, info.Size(), strconv.FormatInt(info.ModTime().UnixNano(), 36)})
		}
		return nil
	})
	slices.SortFunc(objects, func(a, b Object) int { return strings.Compare(a.Key, b.Key) })
	return objects, err
}

// regular describes a file of a bucket, or a link to one in the bucket. It returns nil for what is
// no object: pipes and devices, which may have no end, and links that lead elsewhere.
func regular(in *os.Root, name string) fs.FileInfo {
	info, err := in.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func (d dir) Get(_ context.Context, at Place) (io.ReadCloser, error) {
	in, name, err := d.object(at)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if regular(in, name) == nil { // opening a pipe would wait for whoever writes to it
		return nil, NoSuchKey()
	}
	return in.Open(name)
}

// temporary begins the names of files that are not complete.
const temporary = ".kugiri-"

// isTemporary reports whether a key is that of an incomplete file.
func isTemporary(key string) bool {
	return strings.HasPrefix(key[strings.LastIndexByte(key, '/')+1:], temporary)
}

func (d dir) Put(_ context.Context, at Place, content []byte, _ transfers.Encryption) (etag string,
	err error) {
	in, name, err := d.object(at)
	if err != nil {
		return "", err
	}
	defer in.Close()
	parent := filepath.Dir(name)
	if err := makeAll(in, parent); err != nil {
		return "", err
	}
	folder, err := in.OpenRoot(parent) // a folder elsewhere fails here
	if err != nil {
		return "", err
	}
	defer folder.Close()
	path := d.path
	if !d.single {
		path = filepath.Join(path, at.Bucket)
	}
	if err := replaceFile(folder, filepath.Join(path, name), content); err != nil {
		return "", err
	}
	return etagOf(content), nil
}

// makeAll makes a directory of a bucket, and those around it.
func makeAll(in *os.Root, name string) error {
	if name == "." {
		return nil
	}
	if err := makeAll(in, filepath.Dir(name)); err != nil {
		return err
	}
	if err := in.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// replaceFile writes a file, in a directory that is open, that appears when it is complete.
func replaceFile(in *os.Root, path string, content []byte) (err error) {
	unfinished := temporary + rand.Text()
	file, err := in.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666&^umask)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			in.Remove(unfinished)
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(filepath.Join(filepath.Dir(path), unfinished), path)
}

// umask is taken from the modes of new files: what the group and others may not write.
const umask = 0o022
