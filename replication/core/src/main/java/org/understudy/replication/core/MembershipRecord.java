package org.understudy.replication.core;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/**
 * What a replica must remember over a crash: its promise and the last view it accepted. Stored and synced before any
 * message that rests on it leaves.
 *
 * @param promisedEpoch no message and no view below this epoch is accepted
 * @param promisedTo the candidate that holds the promise, or null
 * @param accepted the accepted view of the highest epoch, or {@link View#NONE}
 * @param base the accepted view of the highest epoch that had a majority as members, or {@link View#NONE}: the last in
 *     which anything can have become stable. Equal to {@code accepted} but for smaller views
 * @param admitted whether this replica's promises count. A replica with an empty disk may have forgotten a promise, so
 *     it has no vote until a view has taken it in
 */
public record MembershipRecord(long promisedEpoch, ReplicaId promisedTo, View accepted, View base, boolean admitted) {
  public static final MembershipRecord FIRST_START = new MembershipRecord(0, null, View.NONE, View.NONE, false);
}
