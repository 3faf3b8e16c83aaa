/** Forwards requests over HTTP to the replicas that the package above selects. */
package org.understudy.container.forwarding.http;
