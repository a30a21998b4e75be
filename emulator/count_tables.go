package emulator

// CountTables returns how many tables requests can see, and how many they cannot: those in a
// journal of an Emulator with the other setting of WithSharedData, or belong to no account of
// WithIAM.
func (e *Emulator) CountTables() (seen, unseen int) {
	e.service.Namespaces.Mu.RLock()
	defer e.service.Namespaces.Mu.RUnlock()
	for key, h := range e.service.Namespaces.Stores {
		count := &seen
		if !e.service.Shows(key) {
			count = &unseen
		}
		*count += h.CountTables()
	}
	return seen, unseen
}
