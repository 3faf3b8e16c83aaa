/**
 * Which replicas have failed, as far as one can know: whoever makes no progress is suspected. A wrong suspicion costs
 * availability, never correctness.
 *
 * <p>Knows no view and no promise; who uses it says which replicas are members, and what they have acknowledged.
 */
package org.understudy.replication.core.detection;
