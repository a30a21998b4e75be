package disk

import "math/rand/v2"

// Groups are numbered from 1 on, throughout the logs of a directory. Seq is that number
// and, in its upper bits, the tag of the directory. The tag is drawn when the directory is
// made, so it shows that a file is of another directory, whose numbers may be the same.
// Directories of earlier builds have the tag 0.
const groupBits = 40

// firstSeq returns the Seq of the first group of a new directory.
func firstSeq() uint64 { return (1+rand.Uint64N(1<<(64-groupBits)-1))<<groupBits | 1 }

// firstBeside returns the Seq of the first group of the directory that a group is of.
func firstBeside(seq uint64) uint64 { return seq - groupNumber(seq) + 1 }

// groupNumber is the number of a group, for people.
func groupNumber(seq uint64) uint64 { return seq & (1<<groupBits - 1) }

// sameDirectory reports whether groups are of the same directory.
func sameDirectory(a, b uint64) bool { return a>>groupBits == b>>groupBits }

// ofAnother is the damage of a file that is of another directory.
const ofAnother = "it is of another directory than " + tablesName
