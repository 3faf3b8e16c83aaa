/** Histories of transactions over several simulated groups. */
package org.understudy.replication.simulation.transaction;
