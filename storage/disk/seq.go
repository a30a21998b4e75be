package disk

import "math/rand/v2"

// A Seq numbers the groups of a directory from 1 on. Its upper bits are the tag of the directory: a
// random number that is drawn when the directory is created. The tag reveals files of another
// directory, whose numbers may be the same. Directories of earlier builds have the tag 0.
const groupBits = 40

// firstSeq returns the Seq of the first group of a new directory.
func firstSeq() uint64 { return (1+rand.Uint64N(1<<(64-groupBits)-1))<<groupBits | 1 }

// firstBeside returns the Seq of the first group in the directory of a group.
func firstBeside(seq uint64) uint64 { return seq - groupNumber(seq) + 1 }

// groupNumber returns the number of a group without the tag.
func groupNumber(seq uint64) uint64 { return seq & (1<<groupBits - 1) }

// sameDirectory reports whether two groups belong to the same directory.
func sameDirectory(a, b uint64) bool { return a>>groupBits == b>>groupBits }

// ofAnother is the damage of a file that belongs to another directory.
const ofAnother = "it belongs to another directory than " + tablesName
