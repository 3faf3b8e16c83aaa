/** Connections that others make to this replica: accepted, bounded while unproven, watched while proven. */
package org.understudy.replication.runtime.inbound;
