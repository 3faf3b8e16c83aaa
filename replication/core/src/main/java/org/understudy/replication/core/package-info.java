/**
 * The protocols as pure step functions, and their shared vocabulary.
 *
 * <p>Nothing in this package or below uses threads, sockets, files, clocks, randomness or hash-iteration order; a build
 * rule enforces it. Each step receives the time, in nanoseconds of one monotonic clock.
 */
package org.understudy.replication.core;
