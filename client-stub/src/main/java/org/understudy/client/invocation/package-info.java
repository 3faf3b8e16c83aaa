/** Bringing one message to the primary, whoever that is by then, until there is an answer or no time left. Not API. */
package org.understudy.client.invocation;
