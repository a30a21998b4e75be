package emulatortest

import "github.com/kugiri-db/kugiri/emulator/dax"

// Accelerator is a DAX cluster of a test, in front of its emulator.
type Accelerator struct {
	*dax.Cluster

	// URL is its address for the clients of DAX, for example dax://127.0.0.1:41097.
	URL string
}

// StartDAX starts an accelerator in front of the server, on free ports of this machine, which ends
// with the test. change, if it is not nil, changes its settings from those of dax.DefaultConfig:
// TTLs, which go by the clock of the test, and nodes. A client that signs with the access key and
// region of the server, and any secret, sees the same tables as Client.
func (s *Server) StartDAX(t TB, change func(*dax.Config)) *Accelerator {
	t.Helper()
	config := dax.DefaultConfig()
	if change != nil {
		change(&config)
	}
	cluster, err := dax.New(s.Emulator, config)
	if err != nil {
		t.Fatalf("emulatortest: no accelerator: %v", err)
		return nil
	}
	t.Cleanup(func() { cluster.Close() })
	at, err := cluster.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatalf("emulatortest: no accelerator: %v", err)
		return nil
	}
	return &Accelerator{Cluster: cluster, URL: "dax://" + at}
}
