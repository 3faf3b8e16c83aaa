/**
 * Decides when and to which replica a forwarded request is retried, and which failure its client receives. A step function
 * without servlet, socket, thread or clock: the container runs it on a thread for each request, a simulation on virtual time.
 */
package org.understudy.container.forwarding;
