/** The part of this replica's group in transactions of WS-AtomicTransaction. */
package org.understudy.wsat.participant;
