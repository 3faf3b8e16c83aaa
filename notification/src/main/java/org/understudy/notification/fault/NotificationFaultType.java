package org.understudy.notification.fault;

import java.util.EnumSet;
import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.soap.basefault.DeclaredFault.Family;
import org.understudy.soap.basefault.FaultType;

/** The faults of WS-BaseNotification 1.3 and WS-BrokeredNotification 1.3, and the one of WS-Resource 1.2 that they share. */
public enum NotificationFaultType implements FaultType {
  /** The subscription cannot be made for a reason without a fault of its own (WS-BaseNotification 1.3, section 4.2). */
  SUBSCRIBE_CREATION_FAILED("SubscribeCreationFailedFault"),
  /** The producer has no such topic (section 4.2). */
  TOPIC_NOT_SUPPORTED("TopicNotSupportedFault"),
  /** The text is not an expression of its dialect (section 4.2). */
  INVALID_TOPIC_EXPRESSION("InvalidTopicExpressionFault"),
  /** The dialect is not supported (section 4.2). */
  TOPIC_EXPRESSION_DIALECT_UNKNOWN("TopicExpressionDialectUnknownFault"),
  /** An expression selects several topics where one is required (section 4.3). */
  MULTIPLE_TOPICS_SPECIFIED("MultipleTopicsSpecifiedFault"),
  /** The query on messages is not an expression of its dialect (section 4.2). */
  INVALID_MESSAGE_CONTENT_EXPRESSION("InvalidMessageContentExpressionFault"),
  /** The query on the producer's properties is not an expression of its dialect (section 4.2). */
  INVALID_PRODUCER_PROPERTIES_EXPRESSION("InvalidProducerPropertiesExpressionFault"),
  /** A filter of a kind that is not supported; names it (section 4.2). */
  INVALID_FILTER("InvalidFilterFault"),
  /** The initial termination time is past or too far away; carries the possible range (section 4.2). */
  UNACCEPTABLE_INITIAL_TERMINATION_TIME("UnacceptableInitialTerminationTimeFault"),
  /** A policy element that is known and not supported; names it (section 4.2). */
  UNSUPPORTED_POLICY_REQUEST("UnsupportedPolicyRequestFault"),
  /** A policy element that is not known; names it (section 4.2). */
  UNRECOGNIZED_POLICY_REQUEST("UnrecognizedPolicyRequestFault"),
  /** There is no current message on the topic (section 4.3). */
  NO_CURRENT_MESSAGE_ON_TOPIC("NoCurrentMessageOnTopicFault"),
  /** The new termination time is past or too far away; carries the possible range (section 6.1.1). */
  UNACCEPTABLE_TERMINATION_TIME("UnacceptableTerminationTimeFault"),
  /** The subscription cannot be ended now (section 6.1.2). */
  UNABLE_TO_DESTROY_SUBSCRIPTION("UnableToDestroySubscriptionFault"),
  /** The subscription cannot be paused now (section 6.2.1). */
  PAUSE_FAILED("PauseFailedFault"),
  /** The subscription cannot be resumed now (section 6.2.2). */
  RESUME_FAILED("ResumeFailedFault"),
  /** The pull point cannot hand out messages now (section 5.1.1). */
  UNABLE_TO_GET_MESSAGES("UnableToGetMessagesFault"),
  /** The pull point cannot be ended now (section 5.1.2). */
  UNABLE_TO_DESTROY_PULL_POINT("UnableToDestroyPullPointFault"),
  /** No pull point can be made now (section 5.2). */
  UNABLE_TO_CREATE_PULL_POINT("UnableToCreatePullPointFault"),
  /** The broker does not accept the publisher (WS-BrokeredNotification 1.3, section 5.1). */
  PUBLISHER_REGISTRATION_REJECTED("http://docs.oasis-open.org/wsn/br-2", "wsn-br", "PublisherRegistrationRejectedFault",
      Family.WSN),
  /** The publisher cannot be registered with these parameters (section 5.1). */
  PUBLISHER_REGISTRATION_FAILED("http://docs.oasis-open.org/wsn/br-2", "wsn-br", "PublisherRegistrationFailedFault", Family.WSN),
  /** The registration cannot be ended now (section 5.2). */
  REGISTRATION_NOT_DESTROYED("http://docs.oasis-open.org/wsn/br-2", "wsn-br", "ResourceNotDestroyedFault", Family.WSN),
  /** The subscription or pull point is unknown or has ended (WS-Resource 1.2). */
  RESOURCE_UNKNOWN("http://docs.oasis-open.org/wsrf/r-2", "wsrf-r", "ResourceUnknownFault", Family.WSRF);

  private static final Set<NotificationFaultType> RECEIVERS =
      EnumSet.of(
          UNABLE_TO_DESTROY_SUBSCRIPTION, PAUSE_FAILED, RESUME_FAILED, UNABLE_TO_GET_MESSAGES,
          UNABLE_TO_DESTROY_PULL_POINT, UNABLE_TO_CREATE_PULL_POINT, REGISTRATION_NOT_DESTROYED);

  private final QName element;
  private final Family family;

  NotificationFaultType(String name) {
    this("http://docs.oasis-open.org/wsn/b-2", "wsnt", name, Family.WSN);
  }

  NotificationFaultType(String namespace, String prefix, String name, Family family) {
    this.element = new QName(namespace, name, prefix);
    this.family = family;
  }

  @Override
  public QName element() {
    return element;
  }

  @Override
  public Family family() {
    return family;
  }

  @Override
  public boolean sender() {
    return !RECEIVERS.contains(this);
  }
}
