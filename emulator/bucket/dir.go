package bucket

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir returns a Store in a directory. A bucket is a directory in it, which the user makes, and an
// object a file below that: the key's slashes separate directories. Keys that are no paths of
// files, such as "a//b" and "../a", are refused. The buckets have no owners, and their objects no
// encryption.
func Dir(path string) Store { return dir{path: path} }

// Single returns a Store in which a directory itself is the bucket, whatever its name.
func Single(path string) Store { return dir{path, true} }

type dir struct {
	path   string
	single bool
}

// bucket returns the directory of a bucket.
func (d dir) bucket(name string) (string, error) {
	if d.single {
		return d.path, nil
	}
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return "", NoSuchBucket()
	}
	path := filepath.Join(d.path, name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return "", NoSuchBucket()
	case err != nil:
		return "", err
	}
	return path, nil
}

// object returns the file of an object.
func (d dir) object(at Place) (string, error) {
	key := at.Key
	path, err := d.bucket(at.Bucket)
	if err != nil {
		return "", err
	}
	local := filepath.FromSlash(key)
	if key == "." || !filepath.IsLocal(local) || filepath.ToSlash(filepath.Clean(local)) != key || isTemporary(key) {
		return "", Refusal("InvalidKey", "A directory cannot hold an object with the key "+key, http.StatusBadRequest)
	}
	return filepath.Join(path, local), nil
}

func (d dir) List(ctx context.Context, in Location) iter.Seq2[Object, error] {
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
	err = fs.WalkDir(os.DirFS(root), ".", func(key string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if e.IsDir() {
			if key != "." && !strings.HasPrefix(key+"/", prefix) && !strings.HasPrefix(prefix, key+"/") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasPrefix(key, prefix) || isTemporary(key) {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		objects = append(objects, Object{key, info.Size()})
		return nil
	})
	slices.SortFunc(objects, func(a, b Object) int { return strings.Compare(a.Key, b.Key) })
	return objects, err
}

func (d dir) Get(_ context.Context, at Place) (io.ReadCloser, error) {
	path, err := d.object(at)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NoSuchKey()
	}
	return file, err
}

// temporary begins the names of files that are not complete.
const temporary = ".kugiri-"

// isTemporary reports whether a key is that of an incomplete file.
func isTemporary(key string) bool {
	return strings.HasPrefix(key[strings.LastIndexByte(key, '/')+1:], temporary)
}

func (d dir) Put(_ context.Context, at Place, content []byte, _ Encryption) (etag string, err error) {
	path, err := d.object(at)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	if err := replaceFile(path, content); err != nil {
		return "", err
	}
	return etagOf(content), nil
}

// replaceFile writes a file that appears when it is complete.
func replaceFile(path string, content []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Chmod(0o666&^umask), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// umask is taken from the modes of new files: what the group and others may not write.
const umask = 0o022
