/**
 * Operations of standards that the plugin implements itself, in place of a service's stack: after load balancing and
 * consistency, before update. They are therefore executed exactly once and replicated like a service's own.
 */
package org.understudy.wsrf.operation;
