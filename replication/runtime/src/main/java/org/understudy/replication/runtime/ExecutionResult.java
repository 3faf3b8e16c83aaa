package org.understudy.replication.runtime;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.peer.FrameSizes;

/** What a service's run has for the core: its result, or a failure in place of one that no replica could take. */
final class ExecutionResult {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutionResult.class);

  private ExecutionResult() {}

  /**
   * @param branch whether a database has a part of the changes
   * @param participant for changes that a coordinator decides; otherwise null
   * @param maxBytes of the response and the changed state
   */
  static Input.Executed input(
      long token,
      Map<String, Long> versions,
      Outcome outcome,
      List<StateChange> changes,
      boolean branch,
      ParticipantRecord participant,
      long maxBytes) {
    String invalid = InputCheck.invalid(outcome, changes);
    if (invalid != null) {
      LOG.error("The result of request {} is invalid: {}. The execution is rolled back.", token, invalid);
      String sentence = "The execution was undone, because its result is invalid: " + invalid + ".";
      return new Input.Executed(token, versions, new Failure(FailureCode.ExecutionFailed, sentence), List.of());
    }
    long record = participant == null ? 0 : EncodedSize.of(participant.transaction()) + participant.rest().length;
    long bytes = EncodedSize.of(outcome, changes) + FrameSizes.REQUEST_BYTES + record;
    return bytes > maxBytes
        ? new Input.Executed(token, versions, tooLarge(bytes, maxBytes), List.of())
        : new Input.Executed(token, versions, outcome, changes, branch, participant);
  }

  private static Failure tooLarge(long bytes, long maxBytes) {
    return new Failure(
        FailureCode.TooLarge,
        "The update was undone: its response and changed state have " + bytes + " bytes, and replicas send each other at"
            + " most " + maxBytes + " at once.");
  }
}
