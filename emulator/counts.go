package emulator

// CountTables returns how many tables requests can see, and how many they cannot: those in a
// journal of an Emulator with the other setting of WithSharedData, or belong to no account of
// WithIAM.
func (e *Emulator) CountTables() (seen, unseen int) {
	e.service.namespaces.mu.RLock()
	defer e.service.namespaces.mu.RUnlock()
	for key, h := range e.service.namespaces.stores {
		count := &seen
		if !e.service.shows(key) {
			count = &unseen
		}
		*count += h.countTables()
	}
	return seen, unseen
}
