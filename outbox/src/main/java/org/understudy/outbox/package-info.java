/** Calls of a service to other services: kept in the replicated state until they are answered, and sent by one replica. */
package org.understudy.outbox;
