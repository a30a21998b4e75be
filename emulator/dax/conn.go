package dax

import (
	"bufio"
	"encoding/binary"
	"errors"
	"net"
	"runtime"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Limits of connections.
const (
	maxConns      = 4096             // connections of a node
	greetingTime  = 10 * time.Second // the time for the first bytes
	requestTime   = time.Minute      // the time for a request, once it has begun, and for an answer
	idleTime      = 10 * time.Minute // the time between requests
	greetingBytes = 4 << 10
	maxRequest    = 16 << 20  // bytes, as over HTTP
	maxMemory     = 256 << 20 // bytes of all requests of more than 64 KB, as messages or as JSON
	keptBytes     = 64 << 10  // bytes of memory that a connection keeps for the next request
	bufferBytes   = 4 << 10
	turnCalls     = 16 // calls that a connection answers before others have their turn
)

// magic is the text that a client begins with.
const magic = "J7yne5G"

// conn is a connection of a client to a node.
type conn struct {
	node  *node
	front *front
	net.Conn
	source *cbor.Source
	lists  *holding
	in     *bufio.Reader
	buf    []byte // memory of the request
	out    []byte // memory of the answer
	unsent []byte // answers that wait, because further calls have arrived already
	begun  bool   // a call has begun, and has no deadline yet, because nothing was waited for
	calls  int    // how many calls were answered since the last turn of others
	agent  []string
	framed bool // each answer is a frame
	caller acceleration.Caller
	// why the last authorization failed, nil if there was none
	refused *protocol.Error
}

// serveConn serves a connection until it ends.
func serveConn(n *node, f *front, c net.Conn) {
	s := &conn{node: n, front: f, Conn: c, lists: n.cluster.lists.hold()}
	s.in = bufio.NewReaderSize(arriving{s}, bufferBytes)
	defer s.lists.release()
	memory := &n.cluster.memory
	s.source = cbor.NewSource(s.in, func(bytes int) bool {
		if memory.Add(int64(bytes)) <= maxMemory {
			return true
		}
		memory.Add(-int64(bytes))
		return false
	})
	defer s.giveBack()
	if s.greet() != nil {
		return
	}
	for s.next() == nil {
		s.giveBack()
		if cap(s.buf) > keptBytes {
			s.buf = nil
		}
		if cap(s.out) > keptBytes {
			s.out = nil
		}
	}
	s.flush()
}

// takeTurns has calls that arrive together take turns with those of other connections.
func (c *conn) takeTurns() {
	c.calls = 0
	if len(c.unsent) > 0 || c.in.Buffered() > 0 {
		runtime.Gosched()
	}
}

// arriving reads what arrives on a connection, after it has sent the answers that wait.
type arriving struct{ *conn }

func (a arriving) Read(p []byte) (int, error) {
	a.takeTurns()
	if err := a.flush(); err != nil {
		return 0, err
	}
	if a.begun {
		a.begun = false
		a.SetReadDeadline(time.Now().Add(requestTime))
	}
	return a.Conn.Read(p)
}

// giveBack gives back the memory of the last request.
func (c *conn) giveBack() { c.node.cluster.memory.Add(-int64(c.source.Release())) }

// frameHead is the length of what is before a framed answer: its length with that, in four bytes, a
// byte of flags, and three zeros.
const (
	frameHead = 8
	frameEnds = 1 // flag: no other frame belongs to the answer
)

// greet reads what a client begins with: a magic text, a number of layers (1 for frames around
// answers), its session, what it says of itself, and a number of types.
func (c *conn) greet() error {
	c.SetDeadline(time.Now().Add(greetingTime))
	var err error
	for range 5 {
		if c.buf, err = c.source.AppendItem(c.buf, greetingBytes); err != nil {
			return err
		}
		// a client of another protocol is known by its first byte
		if c.buf[0] != cbor.Text|byte(len(magic)) {
			return cbor.ErrMalformed
		}
	}
	r := cbor.NewReader(c.buf)
	text, err := r.Text()
	if err != nil || string(text) != magic {
		return cbor.ErrMalformed
	}
	layers, err := r.Int()
	if err != nil || layers != 0 && layers != 1 {
		return cbor.ErrMalformed
	}
	c.framed = layers == 1
	if !r.Is(cbor.Null) {
		if _, err := r.Bytes(); err != nil {
			return err
		}
	}
	return r.Pairs(func(int, int) error {
		name, err := r.Text()
		if err != nil {
			return err
		}
		if string(name) != "UserAgent" {
			_, err := r.Item()
			return err
		}
		agent, err := r.Text()
		c.agent = []string{string(agent)}
		return err
	})
}

// next reads a call and answers it. An error ends the connection.
func (c *conn) next() error {
	if c.in.Buffered() == 0 {
		c.SetReadDeadline(time.Now().Add(idleTime))
		if _, err := c.in.Peek(1); err != nil {
			return err
		}
	}
	if c.calls++; c.calls > turnCalls {
		c.takeTurns()
	}
	c.begun = true
	c.buf = c.buf[:0]
	var err error
	for range 2 {
		if c.buf, err = c.source.AppendItem(c.buf, 2*9); err != nil {
			return err
		}
	}
	r := cbor.NewReader(c.buf)
	service, err := r.Int()
	if err != nil {
		return err
	}
	number, err := r.Int()
	if err != nil {
		return err
	}
	m := protocol.Method(number)
	if service != protocol.Service || m.Arguments() < 0 {
		// how many arguments follow is not known, so nothing behind can be read
		return errors.Join(c.send(c.fail(nil, protocol.NewError("NotImplementedException",
			"the accelerator has no such method", 400))), cbor.ErrMalformed)
	}
	c.buf = c.buf[:0]
	for range m.Arguments() {
		if c.buf, err = c.source.AppendItem(c.buf, maxRequest); err != nil {
			if errors.Is(err, cbor.ErrTooLarge) {
				return errors.Join(c.send(c.fail(nil, protocol.ErrBody)), err)
			}
			if errors.Is(err, cbor.ErrNoMemory) {
				return errors.Join(c.send(c.fail(nil, errBusy)), err)
			}
			return err
		}
	}
	c.begun = false
	if m == protocol.AuthorizeConnection {
		c.authorize() // nothing answers it: the next call tells
		return nil
	}
	answer, err := c.answer(m)
	if err != nil {
		return err
	}
	return c.send(answer)
}

// send sends an answer. If further calls have arrived already, a short answer may wait for theirs:
// many small calls then take few writes.
func (c *conn) send(answer []byte) error {
	c.out = answer
	if c.framed {
		c.unsent = binary.BigEndian.AppendUint32(c.unsent, uint32(frameHead+len(answer)))
		c.unsent = append(c.unsent, frameEnds, 0, 0, 0)
	}
	if c.in.Buffered() > 0 && len(c.unsent)+len(answer) <= bufferBytes {
		c.unsent = append(c.unsent, answer...)
		return nil
	}
	return c.write(net.Buffers{c.unsent, answer})
}

// flush sends the answers that wait.
func (c *conn) flush() error {
	if len(c.unsent) == 0 {
		return nil
	}
	return c.write(net.Buffers{c.unsent})
}

func (c *conn) write(out net.Buffers) error {
	c.unsent = c.unsent[:0]
	c.SetWriteDeadline(time.Now().Add(requestTime))
	_, err := out.WriteTo(c.Conn)
	return err
}

// fail encodes an error.
func (c *conn) fail(q *protocol.Request, err *protocol.Error) []byte {
	return err.Encode(c.out[:0], q, c.lists)
}

// authorize reads an access key, a signature, the text that is signed, a token, and a user agent.
func (c *conn) authorize() {
	c.caller = nil
	a, err := readAuthorization(c.buf)
	if err == nil {
		c.caller, err = c.node.cluster.server.Authorize(a)
	}
	if err != nil {
		name, message, _ := acceleration.ErrorName(err)
		if errors.Is(err, cbor.ErrMalformed) {
			name, message = "IncompleteSignatureException", "the authorization has another form"
		}
		c.refused = protocol.Unauthorized(name, message, false)
	}
	owner, accessKey := "", ""
	if c.caller != nil {
		owner, accessKey = c.caller.Scope().Caller, a.AccessKey
	}
	origin := owner
	if origin == "" {
		origin, _, _ = net.SplitHostPort(c.RemoteAddr().String())
	}
	c.lists.belongs(owner, origin, accessKey)
	c.node.belongs(c.Conn, c.caller)
}

func readAuthorization(data []byte) (a acceleration.Authorization, err error) {
	r := cbor.NewReader(data)
	if a.AccessKey, err = r.Name(); err != nil {
		return a, err
	}
	if a.Signature, err = r.Name(); err != nil {
		return a, err
	}
	if a.StringToSign, err = r.Name(); err != nil {
		return a, err
	}
	if !r.Is(cbor.Null) {
		a.SessionToken, err = r.Name()
	}
	return a, err
}

// answer answers a method. The error ends the connection without an answer.
func (c *conn) answer(m protocol.Method) ([]byte, error) {
	if c.caller == nil {
		refused := c.refused
		if refused == nil {
			refused = protocol.Unauthorized("MissingAuthenticationTokenException",
				"the connection is not authorized", true)
		}
		return c.fail(nil, refused), nil
	}
	switch m {
	case protocol.Endpoints:
		return c.endpoints(), nil
	case protocol.DefineKeySchema:
		return c.keySchema(), nil
	case protocol.DefineAttributeList:
		return c.attributeList(), nil
	case protocol.DefineAttributeListID:
		return c.attributeListID(), nil
	}
	answer, err := c.operate(m)
	var refused *protocol.Error
	if errors.As(err, &refused) {
		return c.fail(nil, refused), nil
	}
	return answer, err
}

// Numbers of the members of an endpoint.
const (
	endpointNode = iota
	endpointHostname
	endpointAddress
	endpointPort
	endpointRole
	endpointZone
	endpointSession
)

const (
	roleLeader  = 1
	roleReplica = 2
)

// endpoints lists the nodes: those of the caller's cluster, or all that the settings have.
func (c *conn) endpoints() []byte {
	ip := c.node.cluster.config.Advertise
	if ip == nil {
		ip = c.LocalAddr().(*net.TCPAddr).IP
	}
	if four := ip.To4(); four != nil {
		ip = four
	}
	members, ok := c.caller.Members()
	if !ok {
		for i := range c.node.cluster.config.Nodes {
			members = append(members, acceleration.Member{Number: i, Zone: "us-east-1a"})
		}
	}
	dst := append(c.out[:0], protocol.Success()...)
	at, n := len(dst), 0
	for _, m := range members {
		if !c.node.cluster.reach(m.Number) || c.node.cluster.all()[m.Number].isDown() {
			continue
		}
		role := int64(roleReplica)
		if n == 0 {
			role = roleLeader
		}
		n++
		dst = cbor.AppendHead(dst, cbor.Map, 7)
		dst = cbor.AppendInt(cbor.AppendInt(dst, endpointNode), int64(m.Number+1))
		dst = cbor.AppendText(cbor.AppendInt(dst, endpointHostname), ip.String())
		dst = cbor.AppendBytes(cbor.AppendInt(dst, endpointAddress), []byte(ip))
		dst = cbor.AppendInt(cbor.AppendInt(dst, endpointPort),
			int64(c.node.cluster.portOf(c.front, m.Number)))
		dst = cbor.AppendInt(cbor.AppendInt(dst, endpointRole), role)
		dst = cbor.AppendText(cbor.AppendInt(dst, endpointZone), m.Zone)
		dst = cbor.AppendInt(cbor.AppendInt(dst, endpointSession), 0)
	}
	return cbor.InsertHead(dst, at, cbor.Array, n)
}

func (c *conn) malformed(err error) []byte {
	var refused *protocol.Error
	if errors.As(err, &refused) {
		return c.fail(nil, refused)
	}
	if errors.Is(err, cbor.ErrMalformed) || errors.Is(err, cbor.ErrTooLarge) ||
		errors.Is(err, protocol.ErrUnknownList) {
		return c.fail(nil, protocol.NewError("SerializationException", err.Error(), 400))
	}
	return c.fail(nil, protocol.Internal(err.Error()))
}

func (c *conn) keySchema() []byte {
	table, err := cbor.NewReader(c.buf).Name()
	if err != nil {
		return c.malformed(err)
	}
	key, err := keyOf(c.caller, table)
	if err != nil {
		return c.malformed(err)
	}
	dst := append(c.out[:0], protocol.Success()...)
	dst = cbor.AppendHead(dst, cbor.Map, uint64(len(key)))
	for _, k := range key {
		dst = cbor.AppendText(cbor.AppendText(dst, k.Name), k.Type)
	}
	return dst
}

// keyOf returns the key of a table. The error is the answer of the operations on items.
func keyOf(caller acceleration.Caller, table string) ([]acceleration.KeyAttribute, error) {
	key, err := caller.Key(table)
	if err != nil {
		name, message, status := acceleration.ErrorName(err)
		return nil, protocol.NewError(name, message, status)
	}
	if key == nil {
		return nil, errNoTable
	}
	return key, nil
}

// errNoTable is the answer of the operations on items for a missing table.
var errNoTable = protocol.NewError("ResourceNotFoundException", "Requested resource not found", 400)

func (c *conn) attributeList() []byte {
	id, err := cbor.NewReader(c.buf).Int()
	if err != nil {
		return c.malformed(err)
	}
	names, ok := c.lists.Names(id)
	if !ok {
		return c.malformed(protocol.ErrUnknownList)
	}
	dst := append(c.out[:0], protocol.Success()...)
	dst = cbor.AppendHead(dst, cbor.Array, uint64(len(names)))
	return appendNames(dst, names)
}

// errLongName is the service's answer to an item with a name that is too long.
var errLongName = protocol.NewError("ValidationException",
	(&item.Invalid{Fault: item.LongName}).Error(), 400)

// attributeListID gives a list its number. The names of an item count as a part of the item, so the
// limits of names and of items hold for the list.
func (c *conn) attributeListID() []byte {
	var names []string
	r := cbor.NewReader(c.buf)
	if r.Major() == cbor.Tag { // Java's client sends a string set
		if _, err := r.Tag(); err != nil {
			return c.malformed(err)
		}
	}
	most, _ := c.caller.Limits()
	err := r.Each(func(int, int) error {
		name, err := r.Name()
		names = append(names, name)
		if most -= max(1, len(name)); err == nil && most < 0 {
			return protocol.ErrItem
		}
		if err == nil && len(name) > item.MaxNameBytes {
			return errLongName
		}
		return err
	})
	var refused *protocol.Error
	if errors.As(err, &refused) {
		return c.fail(nil, refused)
	}
	if err != nil {
		return c.malformed(err)
	}
	id, err := c.lists.ID(names)
	if err != nil {
		return c.fail(nil, protocol.NewError("LimitExceededException", err.Error(), 400))
	}
	return cbor.AppendInt(append(c.out[:0], protocol.Success()...), id)
}
