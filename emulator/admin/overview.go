package admin

import "net/http"

// overviewInfo describes a scope.
type overviewInfo struct {
	Clock      clockInfo      `json:"clock"`
	AccessKeys []string       `json:"accessKeys"`
	Namespaces []namespace    `json:"namespaces"`
	Snapshots  []snapshotInfo `json:"snapshots"`
	Faults     []faultInfo    `json:"faults"`
	Forks      []forkInfo     `json:"forks,omitempty"`
	Policy     bool           `json:"policy,omitempty"`  // requests have to keep the rules of one
	Callers    []string       `json:"callers,omitempty"` // access keys that the policy lists
}

// namespace is the form of an emulator.Namespace.
type namespace struct {
	AccessKey string `json:"accessKey"`
	Region    string `json:"region"`
	Tables    int    `json:"tables"`
}

func (s *scope) showOverview(*http.Request) (int, any, error) {
	return http.StatusOK, s.overview(), nil
}

func (s *scope) overview() overviewInfo {
	keys := s.emulator.Inspect().AccessKeys()
	if keys == nil {
		keys = []string{}
	}
	list := []namespace{}
	for _, n := range s.emulator.Inspect().Namespaces() {
		list = append(list, namespace(n))
	}
	return overviewInfo{
		Clock: clock{s.emulator}.info(), AccessKeys: keys, Namespaces: list,
		Snapshots: s.snapshots.infos(), Faults: s.faults.all(),
		Policy: s.emulator.Inspect().HasPolicy(), Callers: s.emulator.Inspect().PolicyCallers(),
	}
}

func (a *admin) overview(*http.Request) (int, any, error) {
	o := a.base.overview()
	o.Forks = a.forkInfos()
	return http.StatusOK, o, nil
}
