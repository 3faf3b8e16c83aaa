/**
 * Delivers one message to the current primary, with retries until a response arrives or the deadline passes.
 * {@link org.understudy.client.invocation.RetryingInvocation} decides, with neither clock nor thread nor connection, so that a
 * simulation can run it on virtual time; {@link org.understudy.client.invocation.InvocationTask} waits and sends. Not API.
 */
package org.understudy.client.invocation;
