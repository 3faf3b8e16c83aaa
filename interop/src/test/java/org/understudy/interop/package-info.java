/**
 * Clients of other makers, and envelopes as such clients send them, against a group of three replicas.
 *
 * <p>The clients' own programs stand beside this tree, in {@code python}, {@code node}, {@code gsoap} and {@code metro}.
 * Each carries out one session, a line for each step, and waits in its middle for what the test does to the group. All
 * use the Counter. Those with a file {@code standards} play the standards with it too, before and after that middle:
 * properties, lifetimes, a subscription with a consumer of their own, a pull point, declared faults. CXF's client of
 * WS-Notification, in {@code cxf}, plays with the broker. {@code docs/conformance.md} tells which client plays what. Where
 * the tools of a client are missing its tests are skipped with a word on what to install; with {@code
 * -Dinterop.required=true} they fail instead.
 */
package org.understudy.interop;
