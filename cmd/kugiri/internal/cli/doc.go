// Package cli has what the commands of kugiri share: arguments and flags and what is wrong with
// them, the help, the form of results, exit statuses, and what an interrupt leaves undone.
//
// A command does not import another command. What two of them need is here, or in a package below
// the commands that is named for what it does.
package cli
