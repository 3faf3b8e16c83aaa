/**
 * Exactly once: sessions, stored replies and the state that changes with them, executions and who waits for them (Lee et al.
 * 2015; Ongaro 2014, 6.3).
 *
 * <p>Knows no primary, no view and no acknowledgement: a strategy answers what is asked in {@link
 * org.understudy.replication.core.session.Agreement}.
 */
package org.understudy.replication.core.session;
