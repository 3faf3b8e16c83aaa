/**
 * Operations of standards that the plugin answers itself, in the place where a service's stack would stand: behind load
 * balancing and consistency, before update. So they are executed exactly once and replicated like a service's own.
 */
package org.understudy.wsrf.operation;
