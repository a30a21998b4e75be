package partiql

import (
	"strings"
	"sync"
)

// isReserved reports whether a word needs quotes to be a name: the keywords of
// SQL-92 and of PartiQL (PartiQL Specification, "Keywords").
func isReserved(word string) bool { return reserved()[strings.ToLower(word)] }

var reserved = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(reservedWords) {
		m[word] = true
	}
	return m
})

// reservedFunctions are the reserved words that are functions of PartiQL.
var reservedFunctions = map[string]bool{
	"avg": true, "cast": true, "char_length": true, "character_length": true, "coalesce": true,
	"count":  true,
	"exists": true, "extract": true, "lower": true, "max": true, "min": true, "nullif": true,
	"size":      true,
	"substring": true, "sum": true, "trim": true, "upper": true,
}

// isTypes are the names of types that IS takes, and otherTypes those that PartiQL knows besides,
// with their names in texts: service facts F.47.
var (
	isTypes = map[string]bool{
		"MISSING": true, "NULL": true, "BOOL": true, "BOOLEAN": true, "STRING": true, "BLOB": true,
		"LIST": true, "STRUCT": true, "TUPLE": true, "NUMERIC": true,
	}
	otherTypes = map[string]string{
		"SMALLINT": "SmallintType", "INT": "IntegerType", "INTEGER": "IntegerType",
		"INT4": "Integer4Type", "INT8": "Integer8Type", "BIGINT": "Integer8Type",
		"INT2": "SmallintType", "INTEGER2": "SmallintType", "INTEGER4": "Integer4Type",
		"INTEGER8": "Integer8Type",
		"FLOAT":    "FloatType", "REAL": "RealType", "DEC": "DecimalType", "DECIMAL": "DecimalType",
		"TIMESTAMP": "TimestampType", "DATE": "DateType", "TIME": "TimeType",
		"CHAR": "CharacterType", "CHARACTER": "CharacterType", "VARCHAR": "CharacterVaryingType",
		"SYMBOL": "SymbolType", "CLOB": "ClobType", "SEXP": "SexpType", "BAG": "BagType",
		"ANY": "AnyType",
	}
)

const reservedWords = `absolute action add all allocate alter and any are as asc assertion at authorization avg
	bag begin between bit bit_length blob bool boolean both by cascade cascaded case cast catalog char char_length
	character character_length check clob close coalesce collate collation column commit connect connection
	constraint constraints continue convert corresponding count create cross current current_date current_time
	current_timestamp current_user cursor date deallocate dec decimal declare default deferrable deferred delete
	desc describe descriptor diagnostics disconnect distinct domain double drop else end escape except exception
	exec execute exists external extract false fetch first float for foreign found from full get global go goto
	grant group having identity immediate in indicator initially inner input insensitive insert int integer
	intersect interval into is isolation join key language last left level like limit list local lower match max
	min missing module names national natural nchar next no not null nullif numeric octet_length of on only open
	option or order outer output overlaps pad partial pivot position precision prepare preserve primary prior
	privileges procedure public read real references relative remove restrict returning revoke right rollback rows
	schema scroll section select session session_user set sexp size smallint some space sql sqlcode sqlerror
	sqlstate string struct substring sum symbol system_user table temporary then time timestamp to transaction
	translate translation trim true tuple union unique unknown unpivot update upper usage user using value values
	varchar varying view when whenever where with work write zone`
