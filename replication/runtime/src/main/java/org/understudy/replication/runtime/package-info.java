/** Runs a core: locking, clock, durable records, peer channels, the image of the state. */
package org.understudy.replication.runtime;
