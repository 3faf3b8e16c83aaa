/**
 * When a forwarded request is sent again, and to which replica, and what its client is told at the end, as a step function without
 * servlet, socket, thread or clock: the container runs it on a thread for each request, a simulation on virtual time.
 */
package org.understudy.container.forwarding;
