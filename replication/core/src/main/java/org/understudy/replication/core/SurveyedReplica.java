package org.understudy.replication.core;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/**
 * What one replica holds, as it answered a survey.
 *
 * @param answered whether it answered this survey; when false, ignore the other components
 * @param incarnation of the replica when it answered
 * @param remembers whether it has its membership record, so that its promises count
 * @param complete whether it holds the state of its base
 * @param promisedEpoch its promise
 * @param base the last view that it knows of in which anything can have become stable
 * @param received the last update that it holds
 */
public record SurveyedReplica(
    ReplicaId replica,
    boolean answered,
    long incarnation,
    boolean remembers,
    boolean complete,
    long promisedEpoch,
    View base,
    long received) {

  public static SurveyedReplica silent(ReplicaId replica) {
    return new SurveyedReplica(replica, false, 0, false, false, 0, View.NONE, 0);
  }
}
