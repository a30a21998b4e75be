package definition

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apparentlymart/go-cidr/cidr"
	"github.com/google/uuid"
	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// encodings adds the functions of encodings and digests, of texts and of files that read reads.
func encodings(all map[string]function.Function, read func(file string) (string, error)) {
	all["base64encode"] = text(func(t string) string {
		return base64.StdEncoding.EncodeToString([]byte(t))
	})
	all["base64decode"] = textOrError(func(t string) (string, error) {
		decoded, err := base64.StdEncoding.DecodeString(t)
		return string(decoded), err
	})
	all["base64gzip"] = textOrError(packed)
	all["yamlencode"] = yaml.YAMLEncodeFunc
	all["uuidv5"] = texts(namedUUID, "namespace", "name")
	for name, digest := range map[string]func(string) []byte{
		"md5":    func(t string) []byte { d := md5.Sum([]byte(t)); return d[:] },
		"sha1":   func(t string) []byte { d := sha1.Sum([]byte(t)); return d[:] },
		"sha256": func(t string) []byte { d := sha256.Sum256([]byte(t)); return d[:] },
		"sha512": func(t string) []byte { d := sha512.Sum512([]byte(t)); return d[:] },
	} {
		add := func(name string, encode func([]byte) string) {
			all[name] = text(func(t string) string { return encode(digest(t)) })
			all["file"+name] = textOrError(func(file string) (string, error) {
				content, err := read(file)
				return encode(digest(content)), err
			})
		}
		add(name, hex.EncodeToString)
		if name == "sha256" || name == "sha512" {
			add("base64"+name, base64.StdEncoding.EncodeToString)
		}
	}
}

// packed returns a text packed as Terraform packs it: flushed before its end.
func packed(t string) (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(t))
	err = errors.Join(err, w.Flush(), w.Close())
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}

// namedUUID returns the UUID of a name in a namespace, which has a name or is a UUID.
func namedUUID(namespace, name string) (string, error) {
	spaces := map[string]uuid.UUID{"dns": uuid.NameSpaceDNS, "url": uuid.NameSpaceURL,
		"oid": uuid.NameSpaceOID, "x500": uuid.NameSpaceX500}
	space, ok := spaces[namespace]
	if !ok {
		var err error
		if space, err = uuid.Parse(namespace); err != nil {
			return "", err
		}
	}
	return uuid.NewSHA1(space, []byte(name)).String(), nil
}

// addresses adds the functions of networks.
func addresses(all map[string]function.Function) {
	number := function.Parameter{Name: "number", Type: cty.Number}
	prefix := function.Parameter{Name: "prefix", Type: cty.String}
	kind := function.StaticReturnType(cty.String)
	all["cidrhost"] = function.New(&function.Spec{
		Params: []function.Parameter{prefix, number}, Type: kind,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			network, err := networkOf(args[0])
			if err != nil {
				return cty.NilVal, err
			}
			host, _ := args[1].AsBigFloat().Int(nil)
			ip, err := cidr.HostBig(network, host)
			return cty.StringVal(ip.String()), err
		},
	})
	all["cidrnetmask"] = function.New(&function.Spec{
		Params: []function.Parameter{prefix}, Type: kind,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			network, err := networkOf(args[0])
			if err == nil && len(network.Mask) != net.IPv4len {
				err = errors.New("IPv6 addresses have no netmask")
			}
			if err != nil {
				return cty.NilVal, err
			}
			return cty.StringVal(net.IP(network.Mask).String()), nil
		},
	})
	all["cidrsubnet"] = function.New(&function.Spec{
		Params: []function.Parameter{prefix, number, number}, Type: kind,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			network, err := networkOf(args[0])
			if err != nil {
				return cty.NilVal, err
			}
			bits, _ := args[1].AsBigFloat().Int64()
			n, _ := args[2].AsBigFloat().Int(nil)
			subnet, err := cidr.SubnetBig(network, int(bits), n)
			if err != nil {
				return cty.NilVal, err
			}
			return cty.StringVal(subnet.String()), nil
		},
	})
	all["cidrsubnets"] = function.New(&function.Spec{
		Params: []function.Parameter{prefix}, VarParam: &number,
		Type: function.StaticReturnType(cty.List(cty.String)), Impl: subnets,
	})
}

// networkOf returns a network. Terraform takes numbers with zeros before them, which are refused
// here.
func networkOf(v cty.Value) (*net.IPNet, error) {
	if _, err := netip.ParsePrefix(v.AsString()); err != nil {
		return nil, err
	}
	_, network, err := net.ParseCIDR(v.AsString())
	return network, err
}

// subnets returns one network after the other, with as many more bits as each argument says.
func subnets(args []cty.Value, _ cty.Type) (cty.Value, error) {
	network, err := networkOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	if len(args) == 1 {
		return cty.ListValEmpty(cty.String), nil
	}
	ones, size := network.Mask.Size()
	var all []cty.Value
	var last *net.IPNet
	for _, a := range args[1:] {
		more, _ := a.AsBigFloat().Int64()
		if more < 1 || more > int64(min(size-ones, 32)) {
			return cty.NilVal, errors.New("the network has no subnet with so many more bits")
		}
		length := ones + int(more)
		if last == nil {
			last, _ = cidr.PreviousSubnet(network, length)
		}
		next, end := cidr.NextSubnet(last, length)
		if end || !network.Contains(next.IP) {
			return cty.NilVal, errors.New("not enough remaining address space")
		}
		last = next
		all = append(all, cty.StringVal(next.String()))
	}
	return cty.ListVal(all), nil
}

// paths adds the functions of the names of files.
func paths(all map[string]function.Function) {
	all["dirname"] = text(filepath.Dir)
	all["basename"] = text(filepath.Base)
	all["abspath"] = textOrError(func(t string) (string, error) {
		t, err := filepath.Abs(t)
		return filepath.ToSlash(t), err
	})
	all["pathexpand"] = textOrError(func(t string) (string, error) {
		rest, ok := strings.CutPrefix(t, "~")
		if !ok || rest != "" && rest[0] != '/' {
			return t, nil
		}
		home, err := os.UserHomeDir()
		return home + rest, err
	})
}

// timeCompare is timecmp.
var timeCompare = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "a", Type: cty.String}, {Name: "b", Type: cty.String}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		a, err1 := time.Parse(time.RFC3339, args[0].AsString())
		b, err2 := time.Parse(time.RFC3339, args[1].AsString())
		return cty.NumberIntVal(int64(a.Compare(b))), errors.Join(err1, err2)
	},
})

// withoutValue are the functions that have no value here, with the reason.
var withoutValue = map[string]string{
	"bcrypt":           "its value is another one each time",
	"issensitive":      "the values are read as if none were sensitive",
	"plantimestamp":    "its value is another one each time",
	"rsadecrypt":       "it is not built",
	"textdecodebase64": "it is not built",
	"textencodebase64": "it is not built",
	"timestamp":        "its value is another one each time",
	"uuid":             "its value is another one each time",
}

// namedOnly adds the functions that have no value: an expression with one is left out with the
// reason.
func namedOnly(all map[string]function.Function) {
	for name, reason := range withoutValue {
		all[name] = function.New(&function.Spec{
			VarParam: &function.Parameter{Name: "values", Type: cty.DynamicPseudoType,
				AllowNull: true, AllowDynamicType: true},
			Type: func([]cty.Value) (cty.Type, error) {
				return cty.NilType, errors.New(name + " has no value here: " + reason)
			},
			Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.NilVal, nil },
		})
	}
}

func text(f func(string) string) function.Function {
	return textOrError(func(t string) (string, error) { return f(t), nil })
}

func textOrError(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			t, err := f(args[0].AsString())
			return cty.StringVal(t), err
		},
	})
}

// texts is a function of two texts.
func texts(f func(a, b string) (string, error), first, second string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: first, Type: cty.String},
			{Name: second, Type: cty.String}},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			t, err := f(args[0].AsString(), args[1].AsString())
			return cty.StringVal(t), err
		},
	})
}
