/** The invariants of every history, independent of how it was produced. */
package org.understudy.replication.simulation.checker;
