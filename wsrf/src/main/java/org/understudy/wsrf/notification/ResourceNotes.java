package org.understudy.wsrf.notification;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.UpdateListener;

/**
 * Publishes every property change (WS-ResourceProperties 1.2, section 7: a topic named as the property) and every end of a
 * resource (WS-ResourceLifetime 1.2, section 6). Properties without subscribers are not read. Values after an update are kept
 * as those before the next, so that a request renders them once.
 */
public final class ResourceNotes implements UpdateListener {
  /** The topic for the end of a resource. */
  public static final QName TERMINATION = new QName("http://docs.oasis-open.org/wsrf/rl-2", "ResourceTermination");

  private static final Logger LOG = LoggerFactory.getLogger(ResourceNotes.class);
  private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";

  private final Function<String, ResourceDocument> documents;
  private final NotificationSink sink;
  private final Clock clock;
  private final Predicate<ResourceTransaction> due;

  /**
   * Does not listen yet.
   *
   * @param documents the document of the resource under a key; null for none
   * @param clock the time that clients are told
   * @param due whether the termination time of a transaction's resource has come
   */
  public ResourceNotes(
      Function<String, ResourceDocument> documents, NotificationSink sink, Clock clock, Predicate<ResourceTransaction> due) {
    this.documents = documents;
    this.sink = sink;
    this.clock = clock;
    this.due = due;
  }

  @Override
  public void onBegin(ResourceTransaction transaction) {
    if (transaction.key() == null) {
      return;
    }
    try {
      ResourceDocument document = documents.apply(transaction.key());
      if (document != null && document.exists(transaction)) {
        transaction.values(rendered(document, transaction, transaction.valuesBefore()));
      }
    } catch (RuntimeException e) {
      LOG.error("A property of the resource {} cannot be read. This update sends no change notifications.", transaction.key(), e);
      transaction.values(null);
    }
  }

  /** The values of the properties with subscribers; null when there are none. */
  private Map<QName, String> rendered(ResourceDocument document, ResourceTransaction transaction, Map<QName, String> known) {
    Map<QName, String> values = null;
    Instant now = null;
    for (QName property : document.names()) {
      if (!document.source(property).isOfTheMoment(property) && sink.wanted(transaction, transaction.key(), property)) {
        values = values == null ? new HashMap<>() : values;
        now = now == null ? clock.instant() : now;
        String before = known == null ? null : known.get(property);
        values.put(property, before == null ? document.values(property, transaction, now) : before);
      }
    }
    return values;
  }

  @Override
  public void beforeCapture(ResourceTransaction transaction) {
    if (transaction.key() == null) {
      return;
    }
    if (transaction.isDestroyed()) {
      if (sink.wanted(transaction, transaction.key(), TERMINATION)) {
        sink.publish(transaction, transaction.key(), TERMINATION, termination(transaction));
      }
      return;
    }
    Map<QName, String> before = transaction.values();
    if (before == null) {
      return;
    }
    try {
      ResourceDocument document = documents.apply(transaction.key());
      if (!document.exists(transaction)) {
        // For example a subscription that the update has ended.
        transaction.values(null);
        return;
      }
      Map<QName, String> after = new HashMap<>();
      Instant now = clock.instant();
      for (QName property : before.keySet()) {
        String value = document.values(property, transaction, now);
        after.put(property, value);
        if (!value.equals(before.get(property))) {
          sink.publish(transaction, transaction.key(), property, change(before.get(property), value));
        }
      }
      transaction.values(after);
    } catch (RuntimeException e) {
      LOG.error("A property of the resource {} cannot be read. Its change is not notified.", transaction.key(), e);
      transaction.values(null);
    }
  }

  private static byte[] change(String before, String after) {
    String name = "ResourcePropertyValueChangeNotification";
    String text = "<rp:" + name + " xmlns:rp=\"" + RP + "\">" + values("OldValues", before) + values("NewValues", after)
        + "</rp:" + name + ">";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String values(String name, String values) {
    return values.isEmpty()
        ? "<rp:" + name + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>"
        : "<rp:" + name + ">" + values + "</rp:" + name + ">";
  }

  private byte[] termination(ResourceTransaction transaction) {
    Instant now = clock.instant();
    String reason = due.test(transaction) ? "The termination time was reached." : "The resource was destroyed.";
    String text = "<rl:TerminationNotification xmlns:rl=\"" + TERMINATION.getNamespaceURI() + "\"><rl:TerminationTime>"
        + now.truncatedTo(ChronoUnit.MILLIS) + "</rl:TerminationTime><rl:TerminationReason>" + reason
        + "</rl:TerminationReason></rl:TerminationNotification>";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
