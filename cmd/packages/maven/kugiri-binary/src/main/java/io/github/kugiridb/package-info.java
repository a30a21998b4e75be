/** Kugiri, an emulator of Amazon DynamoDB, as a process of a test. */
package io.github.kugiridb;
