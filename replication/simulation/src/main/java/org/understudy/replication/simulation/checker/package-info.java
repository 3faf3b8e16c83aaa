/** What must hold of every history, apart from how it came about. */
package org.understudy.replication.simulation.checker;
