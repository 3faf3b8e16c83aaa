package org.understudy.replication.core.order;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.PendingAnswers;

/** Answers the operator whose call recovers a group, when the recovered view may execute updates. */
public final class OperatorRecovery {
  private final ReplicaSetup setup;
  private final Membership membership;
  private final PendingAnswers answers;
  /** The token of the operator's call that waits for the end of a recovery, or 0. */
  private long waiting;

  public OperatorRecovery(ReplicaSetup setup, Membership membership, PendingAnswers answers) {
    this.setup = setup;
    this.membership = membership;
    this.answers = answers;
  }

  /** @param stable the last stable update */
  public void recover(long now, Input.Recover input, long stable, Effects out) {
    String refusal = membership.recover(now, input.lost(), out);
    if (refusal != null) {
      out.fail(input.token(), new Failure(FailureCode.BadRequest, refusal));
      return;
    }
    fail("Another recovery began.", out);
    waiting = input.token();
    if (membership.role() == Role.PRIMARY || membership.role() == Role.BACKUP) {
      recovered(stable, out); // the view was formed at once
    }
  }

  /** Called when this replica has entered or begun a view: the recovery is complete when the view may execute updates. */
  public void recovered(long stable, Effects out) {
    if (waiting != 0 && !setup.lacksQuorum(membership.view())) {
      answers.answer(waiting, Reply.Status.EXECUTED, Response.EMPTY, stable, out);
      waiting = 0;
    }
  }

  /** @param why a sentence */
  public void fail(String why, Effects out) {
    if (waiting != 0) {
      out.fail(waiting, new Failure(FailureCode.OutcomeUnknown, why + " Survey the group again."));
      waiting = 0;
    }
  }

  /** Called when the caller of this token has been answered otherwise. */
  public void abandoned(long token) {
    if (waiting == token && setup.enforces(Rule.GIVEN_UP_FREES_PLACE)) {
      waiting = 0;
    }
  }
}
