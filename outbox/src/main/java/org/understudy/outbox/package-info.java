/** Outgoing calls of a service: stored in the replicated state until they are answered, and sent by one replica. */
package org.understudy.outbox;
