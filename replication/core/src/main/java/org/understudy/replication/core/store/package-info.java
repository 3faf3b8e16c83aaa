/** The resources of the replicated state, behind an interface that hands out a snapshot of them while they change. */
package org.understudy.replication.core.store;
