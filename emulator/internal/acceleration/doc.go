// Package acceleration lies between an emulator and its accelerator (package dax), so that package
// emulator exports nothing that only the accelerator and the admin API use.
//
//   - A Server is the emulator: it names the callers of connections, and leads to the accelerator.
//   - A Caller has what the accelerator asks about who sends requests; its Scope says with whom it
//     shares what is cached.
//   - Package dax implements the Accelerator. A Cache is the part of it that belongs to one
//     emulator, for the admin API.
//
// Of finds the Server of an emulator. It is a variable that package emulator sets, as neither side
// can be imported here.
package acceleration
