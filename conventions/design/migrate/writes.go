package migrate

// startStream enables the stream that writes of the new plan leave something to.
func (m *Migration) startStream(s *stepList) {
	if m.New.Streams() && !m.Old.Streams() {
		s.add(Step{Kind: StartStream})
	}
}

// endStream disables the stream that no write of the new plan leaves something to.
func (m *Migration) endStream(s *stepList) {
	if m.Old.Streams() && !m.New.Streams() {
		s.add(Step{Kind: EndStream})
	}
}

// changeWrites has the writes sent as the new plan says which keep something else, or in another
// way. Those of new models are so from the start.
func (m *Migration) changeWrites(s *stepList) {
	for i := range m.New.Writes {
		w := &m.New.Writes[i]
		if !m.Changes(w.Name) {
			continue
		}
		var after []string
		if w.Streamed() {
			after = []string{id(StartStream, ""), id(MakeTable, m.New.Design.Table)}
		}
		s.add(Step{Kind: ChangeWrite, Write: w.Name, Query: w.String()}, after...)
	}
	for i := range m.Old.Writes {
		if w := &m.Old.Writes[i]; m.Changes(w.Name) && m.New.Write(w.Name) == nil {
			s.add(Step{Kind: ChangeWrite, Write: w.Name})
		}
	}
}

// Changes reports whether a write of one of the plans is sent in another way in the new plan, or is
// new, or ends. Writes of models that only one of the plans has come and go with these.
func (m *Migration) Changes(write string) bool {
	was, is := m.Old.Write(write), m.New.Write(write)
	switch {
	case was != nil && is != nil:
		return was.String() != is.String()
	case was != nil:
		return was.Model == "" || m.New.Entity(was.Model) != nil
	case is != nil:
		return is.Model == "" || m.Old.Entity(is.Model) != nil
	}
	return false
}
