package cache

// TableStats counts what the caches of an accelerator did for a table.
type TableStats struct {
	Table          string `json:"table"` // "" for those beyond what is counted one by one
	ItemHits       int64  `json:"itemHits"`
	ItemMisses     int64  `json:"itemMisses"`
	ItemEvictions  int64  `json:"itemEvictions"`
	QueryHits      int64  `json:"queryHits"`
	QueryMisses    int64  `json:"queryMisses"`
	QueryEvictions int64  `json:"queryEvictions"`
}
