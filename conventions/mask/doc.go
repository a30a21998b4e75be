// Package mask replaces personal data in items by pseudonyms that keep its format.
//
// A Mask says which attributes are masked, and how. With one secret the same value always becomes
// the same pseudonym, in each table, key and run, so references stay joined. Different values
// become different pseudonyms, so no items fall together: masking a text, a number, an e-mail
// address or a date is a permutation of the values that have its format.
//
// Text keeps its length in characters and in bytes, and each letter or digit becomes one of the
// same script and case; all other characters stay. UUIDs, ULIDs and numbers stay what they are. The
// permutations are a swap-or-not shuffle (Hoang, Morris and Rogaway, 2012) of small domains and an
// alternating Feistel network of large ones, as in NIST SP 800-38G, with HMAC-SHA-256 and AES.
//
// The library for this would be one of FF1 (NIST SP 800-38G), such as github.com/capitalone/fpe. It
// was rejected: FF1 wants a domain of a million values and one radix for all characters. Names and
// dates have smaller domains, and the characters of a text have different alphabets.
//
// Pseudonyms are no anonymity: whoever has the secret can find the values again, and lengths,
// formats and frequencies stay.
package mask
