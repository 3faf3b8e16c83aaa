/**
 * One client's exactly-once bookkeeping: session, sequence numbers, lease.
 * {@link org.understudy.client.session.SessionLifecycle}, {@link org.understudy.client.session.SequenceWindow} and
 * {@link org.understudy.client.session.ViewPolls} decide, with neither clock nor thread nor connection, so that a simulation can
 * run them on virtual time. Not API.
 */
package org.understudy.client.session;
