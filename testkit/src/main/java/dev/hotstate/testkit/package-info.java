/**
 * Real servers for tests, and handles to break them.
 *
 * <p>{@link dev.hotstate.testkit.RedisServer}, {@link dev.hotstate.testkit.RedisCluster} and {@link
 * dev.hotstate.testkit.PostgresServer} are processes of their own on loopback, with data in a temporary folder, gone when
 * closed or when the JVM ends. {@link dev.hotstate.testkit.Testkit} shares one of each between the tests of a run. A test
 * that breaks a server starts its own: {@code try (var redis = RedisServer.start())}.
 */
@NullMarked
package dev.hotstate.testkit;

import org.jspecify.annotations.NullMarked;
