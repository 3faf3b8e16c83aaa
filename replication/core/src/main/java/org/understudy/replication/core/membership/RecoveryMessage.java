package org.understudy.replication.core.membership;

import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** What replicas send each other when an operator lets the group go on after the loss of disks. */
public sealed interface RecoveryMessage extends Message {
  private static MessageKind recoveryKind(int number, String name, MessageKind.Reader reader) {
    return new MessageKind(number, name, "Membership", reader);
  }

  /**
   * An operator's question: what do you hold?
   *
   * @param survey the number of the survey; each survey has another one
   */
  record Survey(long epoch, long survey) implements RecoveryMessage {
    public static final MessageKind KIND = recoveryKind(17, "Survey", (epoch, in) -> new Survey(epoch, in.i64()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(survey);
    }
  }

  /**
   * The same as in {@link MembershipMessage.Promise}, without promising anything.
   *
   * @param survey the number in the question
   */
  record SurveyReply(
      long epoch, long survey, View base, boolean complete, long received, boolean voter, long incarnation)
      implements RecoveryMessage {
    public static final MessageKind KIND =
        recoveryKind(18, "SurveyReply", SurveyReply::read);

    private static SurveyReply read(long epoch, WireReader in) {
      return new SurveyReply(epoch, in.i64(), in.view(), in.bool(), in.position(), in.bool(), in.i64());
    }

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(survey);
      out.view(base);
      out.bool(complete);
      out.i64(received);
      out.bool(voter);
      out.i64(incarnation);
    }
  }

  /**
   * An operator's decision: this life of the receiver, which has no membership record, has a vote again, promises the epoch
   * to the sender, and holds nothing.
   *
   * @param base the sender's base
   */
  record Readmit(long epoch, long incarnation, View base) implements RecoveryMessage {
    public static final MessageKind KIND =
        recoveryKind(19, "Readmit", (epoch, in) -> new Readmit(epoch, in.i64(), in.view()));

    @Override
    public MessageKind kind() {
      return KIND;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(incarnation);
      out.view(base);
    }
  }
}
