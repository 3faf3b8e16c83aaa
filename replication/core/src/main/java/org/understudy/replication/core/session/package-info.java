/**
 * Exactly once: sessions, stored replies and the state that changes with them, executions and who waits for them (Lee et al.
 * 2015; Ongaro 2014, 6.3).
 *
 * <p>Knows no primary, no view and no acknowledgement. A strategy builds one {@link
 * org.understudy.replication.core.session.ExactlyOnce} and answers what it asks in {@link
 * org.understudy.replication.core.session.Agreement}. In all:
 *
 * <ol>
 *   <li>{@code Requested}: when this replica may execute the request now, the strategy calls {@code admit}, or {@code
 *       readHere} for a read of what is applied here. Duplicates are replayed or wait, others are executed or refused. When
 *       it may not, the strategy fails the request, or lets it wait in {@code held}.
 *   <li>{@code Executed} and {@code Abandoned} go to {@code executed} and {@code abandoned}. What stands comes back as {@code
 *       Agreement.append}, and so does all that opens, closes or expires a session.
 *   <li>{@code append}, where this replica alone gives the places: {@code update} with the next index, {@code commit},
 *       {@code answer}. Where a group does: {@code update} with index 0 is the proposal to be multicast. At its delivery every
 *       replica checks it, calls {@code placed} with the index that all agree on, and {@code deliver}, its proposer with the
 *       execution that it has kept. A proposal that is refused runs {@code again}, or is refused for good: {@code refuse}.
 *   <li>When {@code Agreement.stable} has risen: {@code answers().advance}. When pending reads may have been confirmed
 *       meanwhile: {@code answers().answerReads}.
 *   <li>The one replica that decides when sessions end calls {@code begin} when it gets this duty, and {@code expire} at each
 *       tick. Others send it the sessions of {@code sessions().takeReads}, for {@code sessions().readElsewhere}.
 * </ol>
 */
package org.understudy.replication.core.session;
