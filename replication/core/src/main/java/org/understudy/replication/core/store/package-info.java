/** The resources of the replicated state, with snapshots that stay consistent while the state changes. */
package org.understudy.replication.core.store;
