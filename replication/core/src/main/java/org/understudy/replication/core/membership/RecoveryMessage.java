package org.understudy.replication.core.membership;

import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** The messages by which an operator lets the group continue after the loss of disks. */
public sealed interface RecoveryMessage extends Message {
  private static MessageKind recoveryKind(int number, String name, MessageKind.Reader reader) {
    return new MessageKind(number, name, "Membership", reader);
  }

  /**
   * Requests what the receiver holds.
   *
   * @param survey the number of the survey, unique for each
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
   * Like {@link MembershipMessage.Promise}, without a promise.
   *
   * @param survey the number in the request
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
   * Carries an operator's decision: this incarnation of the receiver, which has no membership record, gets its vote back,
   * promises the epoch to the sender, and holds nothing.
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
