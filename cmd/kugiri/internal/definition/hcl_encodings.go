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
	"fmt"
	"math/big"
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
			host, err := wholeNumber(args[1])
			if err != nil {
				return cty.NilVal, err
			}
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
			bits, err1 := newBits(network, args[1])
			n, err2 := wholeNumber(args[2])
			if err := errors.Join(err1, err2); err != nil {
				return cty.NilVal, err
			}
			subnet, err := cidr.SubnetBig(network, bits, n)
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

// wholeNumber returns the number of a host or a network, which has at most the bits of an address.
func wholeNumber(v cty.Value) (*big.Int, error) {
	f := v.AsBigFloat()
	if !f.IsInt() || f.MantExp(nil) > 8*net.IPv6len {
		return nil, fmt.Errorf("%s is no whole number of at most %d bits", f.Text('g', 10),
			8*net.IPv6len)
	}
	n, _ := f.Int(nil)
	return n, nil
}

// newBits returns by how many bits the prefix of a subnet is longer than that of its network.
func newBits(network *net.IPNet, v cty.Value) (int, error) {
	ones, size := network.Mask.Size()
	n, err := wholeNumber(v)
	if err != nil || n.Sign() < 0 || n.Cmp(big.NewInt(int64(size-ones))) > 0 {
		return 0, fmt.Errorf("a prefix of %d bits cannot be longer by %s bits", ones,
			v.AsBigFloat().Text('g', 10))
	}
	return int(n.Int64()), nil
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
	ones, _ := network.Mask.Size()
	var all []cty.Value
	var last *net.IPNet
	for _, a := range args[1:] {
		more, err := newBits(network, a)
		if err != nil {
			return cty.NilVal, err
		}
		if more < 1 || more > 32 {
			return cty.NilVal, errors.New("want 1 to 32 more bits")
		}
		length := ones + more
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
