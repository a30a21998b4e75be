/** Tests of JUnit 5 that each have a fork of a Kugiri server. */
package io.github.kugiridb.junit;
