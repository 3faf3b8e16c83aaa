/** Runs a core: exclusion, clock, durable membership record, peer channels, the image of the state. */
package org.understudy.replication.runtime;
