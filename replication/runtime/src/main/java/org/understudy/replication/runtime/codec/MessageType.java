package org.understudy.replication.runtime.codec;

import java.util.Map;
import org.understudy.replication.core.Message;

/** The kinds of messages, by the number that stands first in their bytes. Append only: the order is the wire format. */
public enum MessageType {
  CANVASS(Message.Canvass.class),
  CANVASS_REPLY(Message.CanvassReply.class),
  PREPARE(Message.Prepare.class),
  PROMISE(Message.Promise.class),
  REFUSE(Message.Refuse.class),
  NEW_VIEW(Message.NewView.class),
  ACCEPTED(Message.Accepted.class),
  HEARTBEAT(Message.Heartbeat.class),
  HEARTBEAT_ACK(Message.HeartbeatAck.class),
  UPDATE(Message.Update.class),
  ACK(Message.Ack.class),
  JOIN(Message.Join.class),
  SNAPSHOT(Message.Snapshot.class),
  SNAPSHOT_ACK(Message.SnapshotAck.class),
  READ_ROUND(Message.ReadRound.class),
  READ_ROUND_ACK(Message.ReadRoundAck.class),
  SESSION_ACTIVITY(Message.SessionActivity.class),
  SURVEY(Message.Survey.class),
  SURVEY_REPLY(Message.SurveyReply.class),
  READMIT(Message.Readmit.class);

  private static final MessageType[] ALL = values();
  private static final Map<Class<?>, MessageType> BY_CLASS =
      java.util.Arrays.stream(ALL).collect(java.util.stream.Collectors.toUnmodifiableMap(t -> t.type, t -> t));

  private final Class<? extends Message> type;

  MessageType(Class<? extends Message> type) {
    this.type = type;
  }

  /** As written in the attribute {@code type} of a peer message in SOAP, for example {@code StateUpdate}. */
  public String wireName() {
    return this == UPDATE ? "StateUpdate" : type.getSimpleName();
  }

  public static MessageType of(Message message) {
    return BY_CLASS.get(message.getClass());
  }

  static MessageType of(int number) throws MalformedMessageException {
    if (number < 0 || number >= ALL.length) {
      throw new MalformedMessageException("There is no message of type " + number + ".");
    }
    return ALL[number];
  }
}
