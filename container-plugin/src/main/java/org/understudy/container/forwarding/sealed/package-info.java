/**
 * What a replica tells another one of a client's request that it forwards, beside the message: the part of the body that only a valid proof
 * opens, so that the service and the server see the client's request and not the forwarding replica's.
 */
package org.understudy.container.forwarding.sealed;
