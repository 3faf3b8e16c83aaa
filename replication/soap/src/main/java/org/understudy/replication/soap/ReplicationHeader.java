package org.understudy.replication.soap;

import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;

/**
 * The replication header that a client's stub adds to its request. {@link HeaderBlock} writes it.
 *
 * @param session null when the client has none
 * @param sequence from 1 within a session; 0 without a session
 * @param handle the version of the group that the client has seen
 * @param level null when the client requests none
 * @param forward whether this replica should forward the request, because the client reaches no replica that serves it
 * @param action what the client declares the operation to be; null for nothing
 * @param transaction the transaction that the request belongs to; null for none
 */
public record ReplicationHeader(
    SessionId session,
    long sequence,
    long ackBelow,
    VersionHandle handle,
    long epoch,
    int attempt,
    ReadLevel level,
    boolean forward,
    ActionType action,
    TransactionReference transaction) {
  static final String SESSION = "Session";
  static final String SEQUENCE = "Sequence";
  static final String ACK_BELOW = "AckBelow";
  static final String ATTEMPT = "Attempt";
  static final String READ_LEVEL = "ReadLevel";
  static final String FORWARD = "Forward";

  /** Fields that a header has at most once. */
  private static final Set<String> SINGLE =
      Set.of(
          SESSION, SEQUENCE, ACK_BELOW, ReplicationNames.VERSION_HANDLE, ReplicationNames.EPOCH, ATTEMPT, READ_LEVEL, ActionType.NAME,
          FORWARD, TransactionReference.NAME);

  /** The block that only requests forwarding. */
  public static final String FORWARD_ONLY =
      ReplicationNames.OPEN_HEADER + "<ur:" + FORWARD + ">true</ur:" + FORWARD + ">" + ReplicationNames.CLOSE_HEADER;

  /** Creates a header that neither requests forwarding nor declares the operation, outside of transactions. */
  public ReplicationHeader(
      SessionId session,
      long sequence,
      long ackBelow,
      VersionHandle handle,
      long epoch,
      int attempt,
      ReadLevel level) {
    this(session, sequence, ackBelow, handle, epoch, attempt, level, false, null, null);
  }

  /**
   * Reads the block to its end. Ignores unknown fields.
   *
   * @param in on the start of the block
   * @throws IllegalArgumentException when a value is invalid; the message is a sentence for the sender
   */
  public static ReplicationHeader read(XMLStreamReader2 in) throws XMLStreamException {
    SessionId session = null;
    long sequence = 0;
    long ackBelow = 0;
    VersionHandle handle = VersionHandle.INITIAL;
    long epoch = 0;
    int attempt = 1;
    ReadLevel level = null;
    boolean forward = false;
    ActionType action = null;
    TransactionReference transaction = null;
    Set<String> fields = new HashSet<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      String field = in.getLocalName();
      if (SINGLE.contains(field) && !fields.add(field)) {
        throw new IllegalArgumentException("the field " + field + " occurs twice.");
      }
      switch (field) {
        case SESSION -> session = SessionId.parse(Values.text(in));
        case SEQUENCE -> sequence = Values.number(in);
        case ACK_BELOW -> ackBelow = Values.number(in);
        case ReplicationNames.VERSION_HANDLE -> handle = ofGroup(VersionHandle.parse(Values.text(in)));
        case ReplicationNames.SCOPED_HANDLE -> checkScoped(VersionHandle.parse(Values.text(in)));
        case ReplicationNames.EPOCH -> epoch = VersionHandle.ofGroup(Values.number(in), 0).epoch();
        case ATTEMPT -> attempt = (int) Math.min(Values.number(in), Integer.MAX_VALUE);
        case READ_LEVEL -> level = ReadLevel.parse(Values.text(in));
        case ActionType.NAME -> action = ActionType.parse(Values.text(in));
        case FORWARD -> forward = Boolean.parseBoolean(Values.text(in));
        case TransactionReference.NAME -> transaction = TransactionReference.read(in);
        default -> in.skipElement();
      }
    }
    if (session != null && (sequence < 1 || ackBelow > sequence)) {
      throw new IllegalArgumentException("a session's Sequence must be 1 or more, and its AckBelow must not exceed it.");
    }
    return new ReplicationHeader(session, sequence, ackBelow, handle, epoch, attempt, level, forward, action, transaction);
  }

  /** No strategy here has another scope than the group, so a valid handle has no effect. */
  private static void checkScoped(VersionHandle handle) {
    if (handle.isOfGroup()) {
      throw new IllegalArgumentException("a ScopedHandle must have another scope than group; the group's handle is the VersionHandle.");
    }
  }

  private static VersionHandle ofGroup(VersionHandle handle) {
    if (!handle.isOfGroup()) {
      throw new IllegalArgumentException(
          "a VersionHandle must have no scope or the scope group; other handles are ScopedHandles.");
    }
    return handle;
  }
}
