/** Replicates an order of updates within the views of the membership: log, acknowledgements, stability, state transfer. */
package org.understudy.replication.core.order;
