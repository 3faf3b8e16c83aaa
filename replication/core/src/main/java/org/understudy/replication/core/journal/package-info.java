/** The journal of a replica: what it holds of the group's updates, so that a restart does not lose it. */
package org.understudy.replication.core.journal;
