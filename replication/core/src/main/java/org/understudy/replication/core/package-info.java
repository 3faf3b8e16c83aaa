/**
 * The protocols as pure step functions, and the words they share.
 *
 * <p>Nothing below this package touches threads, sockets, files, clocks, randomness or hash-iteration order; a build
 * rule enforces it. Time is passed in with every step, in nanoseconds of one monotonic clock.
 */
package org.understudy.replication.core;
