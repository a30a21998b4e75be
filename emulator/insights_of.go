package emulator

// ContributorInsights returns what the rules of contributor insights have found in the last 60
// minutes in which something happened: of each minute the ten keys with the largest values. Rules
// that are not ENABLED have found nothing. Forks and snapshots have a copy; a restart begins anew.
// Scans and PartiQL statements do not count.
func (e *Emulator) ContributorInsights() []ContributorInsights { return e.service.insights() }
