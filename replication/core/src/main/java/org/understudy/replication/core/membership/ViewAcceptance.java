package org.understudy.replication.core.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.membership.MembershipMessage.NewView;

/** Which replicas have accepted the view in which this replica is a member; the view's primary begins when enough have. */
final class ViewAcceptance {
  private final ReplicaSetup setup;
  private final Set<ReplicaId> accepted = new TreeSet<>();
  private final Set<ReplicaId> members = new TreeSet<>();
  private long start;
  private List<ReplicaId> voters = List.of();
  private List<Long> incarnations = List.of();
  private int wire;

  ViewAcceptance(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** Called when another view is accepted here: no other acceptance is known yet. */
  void clear() {
    accepted.clear();
    members.clear();
  }

  void propose(NewView view) {
    start = view.start();
    voters = List.copyOf(new TreeSet<>(view.voters()));
    incarnations = view.incarnations();
    wire = view.wire();
  }

  /** Whether the view includes this incarnation of its member, as far as this replica knows. */
  boolean names(View view, ReplicaId member, long incarnation) {
    int place = view.members().indexOf(member);
    return place >= 0 && place < incarnations.size() && incarnations.get(place) == incarnation;
  }

  /** The last update of the primary when the view begins. */
  long start() {
    return start;
  }

  /** The proposal, for retransmission. */
  NewView proposal(View view, View base) {
    return new NewView(view, base, start, voters, incarnations, wire);
  }

  /** The replicas whose promises the view is based on. */
  List<ReplicaId> voters() {
    return voters;
  }

  void add(ReplicaId replica) {
    accepted.add(replica);
  }

  /** Records that a replica accepted as a member, with its state. */
  void addMember(ReplicaId replica) {
    members.add(replica);
  }

  boolean hasMember(ReplicaId replica) {
    return members.contains(replica);
  }

  List<ReplicaId> acceptingVoters() {
    List<ReplicaId> accepting = new ArrayList<>(voters);
    accepting.retainAll(accepted);
    return accepting;
  }

  boolean hasMajority() {
    return acceptingVoters().size() >= setup.majority();
  }
}
