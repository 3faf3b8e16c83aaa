package org.understudy.notification.operation;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.filter.TopicFilter;
import org.understudy.notification.subscription.References;
import org.understudy.notification.subscription.SubscribeRequest;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;

/**
 * The operations of a NotificationProducer (WS-BaseNotification 1.3, section 4). Each reads its request completely before
 * it changes anything, and returns the element for the answer's Body. Stateless except for the store; thread-safe if the
 * store is.
 */
public final class ProducerOperations {
  private final SubscriptionRules rules;
  private final TopicSet topics;
  private final References references;
  private final SubscriptionStore store;
  private final CurrentMessages current;
  private final Clock clock;

  /**
   * @param topics what can be subscribed to
   * @param current what GetCurrentMessage answers with
   * @param clock the wall clock of termination times
   */
  public ProducerOperations(
      SubscriptionRules rules,
      TopicSet topics,
      References references,
      SubscriptionStore store,
      CurrentMessages current,
      Clock clock) {
    this.rules = rules;
    this.topics = topics;
    this.references = references;
    this.store = store;
    this.current = current;
    this.clock = clock;
  }

  /**
   * Subscribe (section 4.2).
   *
   * @param producer the key of the resource addressed; empty: the service
   * @param request positioned on the element in its Body
   * @throws NotificationFault as {@link ManagementReader#subscribe} and {@link #subscribe(String, SubscribeRequest)}
   */
  public byte[] subscribe(String producer, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException {
    Subscription made = subscribe(producer, new ManagementReader(request).subscribe());
    return Answers.element("SubscribeResponse", out -> {
      Answers.reference(out, "SubscriptionReference", references.subscription(made.id()));
      Answers.currentTime(out, made.created());
      Answers.terminationTime(out, made.termination());
    });
  }

  /**
   * Creates a subscription (section 4.2).
   *
   * @throws NotificationFault {@link NotificationFaultType#TOPIC_NOT_SUPPORTED} when an expression selects no topic here,
   *     {@link NotificationFaultType#UNACCEPTABLE_INITIAL_TERMINATION_TIME}, or {@link
   *     NotificationFaultType#SUBSCRIBE_CREATION_FAILED} when the consumer's address is not allowed or there are too many
   *     subscriptions
   */
  public Subscription subscribe(String producer, SubscribeRequest request) throws NotificationFault {
    rules.check(request.consumer(), request.raw());
    List<SubscriptionFilter> filters = new ArrayList<>(request.filters().size());
    for (SubscriptionFilter filter : request.filters()) {
      filters.add(filter instanceof TopicFilter byTopic ? new TopicFilter(supported(byTopic.expression())) : filter);
    }
    Instant now = clock.instant();
    Optional<Instant> termination =
        rules.lifetimes().grant(request.termination(), now, NotificationFaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME);
    rules.checkRoom(store.size());
    Subscription made =
        new Subscription(
            ResourceIds.next(), producer, request.consumer(), filters, request.raw(), false, store.position(),
            now, termination, request.version());
    store.put(made);
    return made;
  }

  /**
   * GetCurrentMessage (section 4.3).
   *
   * @param producer the key of the resource addressed; empty: the service
   * @param request stands on the element in its Body
   * @throws NotificationFault {@link NotificationFaultType#TOPIC_EXPRESSION_DIALECT_UNKNOWN}, {@link
   *     NotificationFaultType#INVALID_TOPIC_EXPRESSION}, {@link NotificationFaultType#TOPIC_NOT_SUPPORTED}, {@link
   *     NotificationFaultType#MULTIPLE_TOPICS_SPECIFIED} or {@link NotificationFaultType#NO_CURRENT_MESSAGE_ON_TOPIC}
   */
  public byte[] getCurrentMessage(String producer, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException {
    TopicExpression expression = new ManagementReader(request).currentMessageTopic();
    byte[] message = current.last(producer, only(expression)).orElseThrow(() -> NotificationFault.of(
        NotificationFaultType.NO_CURRENT_MESSAGE_ON_TOPIC, "No message was published on the topic yet."));
    String xml = new String(message, StandardCharsets.UTF_8);
    return Answers.element("GetCurrentMessageResponse", out -> out.writeRaw(xml));
  }

  private TopicPath only(TopicExpression expression) throws NotificationFault {
    try {
      return topics.only(supported(expression)).orElseThrow(ProducerOperations::topicNotSupported);
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(NotificationFaultType.MULTIPLE_TOPICS_SPECIFIED, e.getMessage());
    }
  }

  private TopicExpression supported(TopicExpression expression) throws NotificationFault {
    return topics.resolve(expression).orElseThrow(ProducerOperations::topicNotSupported);
  }

  private static NotificationFault topicNotSupported() {
    return NotificationFault.of(NotificationFaultType.TOPIC_NOT_SUPPORTED, "The expression selects no topic of this producer.");
  }
}
