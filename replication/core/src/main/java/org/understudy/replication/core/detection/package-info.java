/**
 * Suspects replicas that make no progress. A wrong suspicion costs availability, never correctness.
 *
 * <p>Independent of views and promises: the caller supplies the members and their acknowledgements.
 */
package org.understudy.replication.core.detection;
