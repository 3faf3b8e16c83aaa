package org.understudy.notification.operation;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.subscription.References;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;

/**
 * The operations of pull points (WS-BaseNotification 1.3, section 5); otherwise like {@link ProducerOperations}. Those on
 * one pull point throw {@link NotificationFaultType#RESOURCE_UNKNOWN} when it is unknown or has ended.
 */
public final class PullPointOperations {
  private static final int SERVICE_UNAVAILABLE = 503;

  private final PullPointRules rules;
  private final References references;
  private final PullPointStore store;
  private final Clock clock;

  /** @param clock the wall clock of termination times */
  public PullPointOperations(PullPointRules rules, References references, PullPointStore store, Clock clock) {
    this.rules = rules;
    this.references = references;
    this.store = store;
    this.clock = clock;
  }

  /**
   * CreatePullPoint (section 5.2).
   *
   * @param request stands on the element in its Body
   * @throws NotificationFault {@link NotificationFaultType#UNABLE_TO_CREATE_PULL_POINT} when there are too many
   */
  public byte[] create(RequestReader request) throws NotificationFault, XMLStreamException {
    request.readToEnd();
    if (store.size() >= rules.max()) {
      throw NotificationFault.of(
          NotificationFaultType.UNABLE_TO_CREATE_PULL_POINT,
          "The limit of " + rules.max() + " pull points is reached.");
    }
    Instant now = clock.instant();
    String id = ResourceIds.next();
    store.put(new PullPoint(id, now, rules.unused().map(now::plus)));
    return Answers.element(
        "CreatePullPointResponse", out -> Answers.reference(out, "PullPoint", references.pullPoint(id)));
  }

  /**
   * GetMessages (section 5.1.1). Returned messages are removed, and the use extends the pull point's lifetime. There may be
   * fewer messages than requested, because an answer is bounded: repeat the request.
   */
  public byte[] getMessages(String id, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException {
    int max = Math.min(new ManagementReader(request).maximumNumber(), rules.answerMessages());
    Instant now = clock.instant();
    PullPoint pullPoint = require(id, now);
    List<byte[]> messages = store.oldest(id, max, rules.answerBytes());
    store.removeOldest(id, messages.size());
    if (rules.unused().isPresent()) {
      store.put(pullPoint.until(rules.unused().map(now::plus)));
    }
    return Answers.element("GetMessagesResponse", out -> {
      for (byte[] message : messages) {
        out.writeRaw(new String(message, StandardCharsets.UTF_8));
      }
    });
  }

  /** DestroyPullPoint (section 5.1.2). */
  public byte[] destroy(String id, RequestReader request) throws NotificationFault, XMLStreamException {
    request.readToEnd();
    require(id, clock.instant());
    store.remove(id);
    return Answers.empty("DestroyPullPointResponse");
  }

  /**
   * Notify (section 3.2), from any producer. One-way: there is no answer.
   *
   * @throws SoapFault with the code Sender when it is not a Notify; with Receiver and HTTP status 503 when there is no
   *     room: the sender may retry later
   */
  public void notify(String id, RequestReader request) throws NotificationFault, SoapFault, XMLStreamException {
    List<byte[]> messages = new ManagementReader(request).notificationMessages(rules.messages());
    accept(id, request.properties().messageId(), messages);
  }

  /**
   * Adds messages that arrived by another way than a request, like {@link #notify}.
   *
   * @param messageId identifies duplicates; null: none
   */
  public void accept(String id, String messageId, List<byte[]> messages) throws NotificationFault, SoapFault {
    require(id, clock.instant());
    long bytes = messages.stream().mapToLong(message -> message.length).sum();
    if (store.messages(id) + messages.size() > rules.messages() || store.bytes(id) + bytes > rules.bytes()) {
      throw SoapFault.of(
          SoapFault.Code.RECEIVER, SERVICE_UNAVAILABLE,
          "The pull point is full. Retry when its messages have been fetched.");
    }
    store.append(id, messageId, messages);
  }

  private PullPoint require(String id, Instant now) throws NotificationFault {
    PullPoint pullPoint = store.find(id);
    if (pullPoint == null || pullPoint.expiredAt(now)) {
      throw NotificationFault.of(NotificationFaultType.RESOURCE_UNKNOWN, "The pull point is unknown or has ended.");
    }
    return pullPoint;
  }
}
