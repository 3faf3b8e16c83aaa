package org.understudy.container.forwarding;

/**
 * How long a forwarded request waits, in nanoseconds.
 *
 * @param search for a thread, and between attempts, until a replica takes the request. The time in which a replica had it does not count.
 *     An attempt at a replica that has been silent for as long ends when this time is over
 * @param answer for the answer of a replica that has the request and is not silent: at least as long as that replica takes at most
 */
public record WaitLimits(long search, long answer) {}
