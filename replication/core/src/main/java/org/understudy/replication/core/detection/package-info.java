/**
 * Suspects replicas that make no progress. A wrong suspicion costs
 * availability, never correctness.
 *
 * <p>Knows no view and no promise; its user supplies which replicas are members, and what they have acknowledged.
 */
package org.understudy.replication.core.detection;
