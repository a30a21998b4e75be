/** A module of Testcontainers that runs Kugiri, an emulator of Amazon DynamoDB. */
package io.github.kugiridb.testcontainers;
