package org.understudy.container.balancing;

/**
 * The properties of a request on which load balancing decides.
 *
 * @param redirectable whether its client follows a redirect to another replica
 * @param moved whether a replica has redirected or forwarded it already, or its client has chosen another replica for a retry
 */
public record Arrival(boolean redirectable, boolean moved) {}
