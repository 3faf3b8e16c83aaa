/**
 * Bringing one message to the primary, whichever replica that is by then, until there is an answer or no time left.
 * {@link org.understudy.client.invocation.RetryingInvocation} decides, with neither clock nor thread nor connection, so that a
 * simulation can run it on virtual time; {@link org.understudy.client.invocation.InvocationTask} waits and sends. Not API.
 */
package org.understudy.client.invocation;
