package org.understudy.replication.runtime.management;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;

/** Lets the operator control one replica through JMX, which only the operating system user of the server can reach. */
public final class ReplicaControl implements ReplicaControlMXBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaControl.class);
  private static final long POLL_MS = 10;
  /** Longer than the replica's own timeout: the replica itself reports the outcome of a recovery. */
  private static final long ANSWER_SECONDS = 600;

  private final ReplicaId self;
  private final long suspectNanos;
  private final Replica replica;
  /** Null when the registration failed. */
  private RegisteredBean registration;

  private ReplicaControl(ReplicaId self, long suspectNanos, Replica replica) {
    this.self = self;
    this.suspectNanos = suspectNanos;
    this.replica = replica;
  }

  /**
   * Registers the control of this replica. If that fails, it logs a warning and the replica works without it.
   *
   * @param group the name of the replica's group
   * @param suspectNanos silence after which a replica is suspected
   */
  public static ReplicaControl register(String group, ReplicaId self, long suspectNanos, Replica replica) {
    ReplicaControl control = new ReplicaControl(self, suspectNanos, replica);
    control.registration =
        RegisteredBean.of(
            control, RegisteredBean.name("type=Replica,group=" + ObjectName.quote(group) + ",replica=" + self), "Replica " + self);
    return control;
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }

  @Override
  public String survey() {
    StringBuilder text = new StringBuilder();
    for (SurveyedReplica one : surveyAll()) {
      text.append("replica ").append(one.replica()).append(one.replica().equals(self) ? " (this one)" : "");
      if (one.answered()) {
        text.append(": incarnation ").append(one.incarnation())
            .append(one.remembers() ? ", has its membership record" : ", has no membership record")
            .append(", promised epoch ").append(one.promisedEpoch())
            .append(", last view ").append(one.base().epoch()).append(' ').append(one.base().members())
            .append(one.complete() ? ", holds its state up to update " : ", does not hold its state; received update ")
            .append(one.received());
      } else {
        text.append(": does not answer");
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Surveys the group: waits until all replicas have answered or the suspicion time has passed. */
  private List<SurveyedReplica> surveyAll() {
    replica.survey();
    long end = System.nanoTime() + suspectNanos;
    List<SurveyedReplica> answers = replica.surveyed();
    while (!answers.stream().allMatch(SurveyedReplica::answered) && System.nanoTime() < end) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      answers = replica.surveyed();
    }
    return answers;
  }

  @Override
  public String recover(String lost) {
    Map<ReplicaId, Long> declared = parse(lost);
    surveyAll();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    replica.recover(declared, new Answer(answer));
    Object outcome;
    try {
      outcome = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The recovery was interrupted. Survey the group for its outcome.", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "Replica " + self + " did not answer within " + ANSWER_SECONDS
              + " s. Survey the group for the outcome of the recovery.", e);
    }
    if (outcome instanceof Failure failure) {
      String why = failure.code() == FailureCode.StillPending ? describeUnfinished() : failure.sentence();
      LOG.warn("Replica {} could not recover the group: {}", self, why);
      throw new IllegalStateException(why);
    }
    View view = replica.view();
    return "Recovered: replica " + self + " and the group go on in view " + view.epoch() + " " + view.members()
        + ". The other lost replicas return as empty joiners; see /health of each.";
  }

  private String describeUnfinished() {
    return "The recovery has begun and goes on, but no view that may execute updates has begun yet. Replica "
        + self + " is " + replica.status().roleName() + " in view " + replica.view().epoch() + " "
        + replica.view().members() + ". Survey the group and look at /health and the logs of the readmitted replicas: they"
        + " must run, be reachable, and receive the whole state first.";
  }

  static Map<ReplicaId, Long> parse(String lost) {
    Map<ReplicaId, Long> declared = new TreeMap<>();
    for (String entry : lost.split(",")) {
      String[] parts = entry.strip().split("=", 2);
      try {
        declared.put(
            new ReplicaId(Integer.parseInt(parts[0].strip())), parts.length == 1 ? 0 : Long.parseLong(parts[1].strip()));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "\"" + entry + "\" does not name a lost replica. Write 2=INCARNATION for a replica that is back, 3 for one that is"
                + " not, separated by commas.", e);
      }
    }
    return declared;
  }

  private record Answer(CompletableFuture<Object> outcome) implements Call {
    @Override
    public void execute(long token, Request.Kind kind) {
      throw new IllegalStateException("A recovery executes nothing.");
    }

    @Override
    public void reply(Reply reply) {
      outcome.complete(reply);
    }

    @Override
    public void fail(Failure failure) {
      outcome.complete(failure);
    }
  }
}
