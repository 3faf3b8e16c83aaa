package org.understudy.notification.operation;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.message.NotifyNames;

/** The operations of WS-BaseNotification 1.3, recognised by the element in the request's Body. */
public enum Operation {
  /** Creates a subscription (section 4.2). */
  SUBSCRIBE("Subscribe", "NotificationProducer", false),
  /** Returns the last message on a topic (section 4.3). */
  GET_CURRENT_MESSAGE("GetCurrentMessage", "NotificationProducer", true),
  /** Sets a new termination time (section 6.1.1). */
  RENEW("Renew", "SubscriptionManager", false),
  /** Ends a subscription (section 6.1.2). */
  UNSUBSCRIBE("Unsubscribe", "SubscriptionManager", false),
  /** Suspends delivery (section 6.2.1). */
  PAUSE_SUBSCRIPTION("PauseSubscription", "PausableSubscriptionManager", false),
  /** Resumes delivery (section 6.2.2). */
  RESUME_SUBSCRIPTION("ResumeSubscription", "PausableSubscriptionManager", false),
  /** Creates a pull point, from which messages can be fetched (section 5.2). */
  CREATE_PULL_POINT("CreatePullPoint", "CreatePullPoint", false),
  /** Fetches messages and removes them from the pull point (section 5.1.1). */
  GET_MESSAGES("GetMessages", "PullPoint", false),
  /** Ends a pull point (section 5.1.2). */
  DESTROY_PULL_POINT("DestroyPullPoint", "PullPoint", false),
  /** Delivers messages to a consumer (section 3.2); one-way: answered only by faults. */
  NOTIFY("Notify", "NotificationConsumer", false);

  private static final String PORT_TYPES = "http://docs.oasis-open.org/wsn/bw-2/";
  private static final Map<QName, Operation> BY_BODY =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Operation::body, Function.identity()));

  private final QName body;
  private final String portType;
  private final boolean read;

  Operation(String name, String portType, boolean read) {
    this.body = new QName(NotifyNames.NAMESPACE, name, "wsnt");
    this.portType = portType;
    this.read = read;
  }

  /** The operation of a request with this element in its Body, if it is one of these. */
  public static Optional<Operation> of(QName body) {
    return Optional.ofNullable(BY_BODY.get(body));
  }

  /** The element in the Body of a request. */
  public QName body() {
    return body;
  }

  /** The {@code wsa:Action} of a request. Not enforced. */
  public String requestAction() {
    return this == NOTIFY ? NotifyNames.NOTIFY_ACTION : PORT_TYPES + portType + "/" + body.getLocalPart() + "Request";
  }

  /** The {@code wsa:Action} of the answer; empty for a one-way operation. */
  public Optional<String> responseAction() {
    return this == NOTIFY
        ? Optional.empty()
        : Optional.of(PORT_TYPES + portType + "/" + body.getLocalPart() + "Response");
  }

  /** The fault for an operation that cannot be executed now; empty when its contract declares none. */
  public Optional<NotificationFaultType> unavailable() {
    return Optional.ofNullable(
        switch (this) {
          case SUBSCRIBE -> NotificationFaultType.SUBSCRIBE_CREATION_FAILED;
          case UNSUBSCRIBE -> NotificationFaultType.UNABLE_TO_DESTROY_SUBSCRIPTION;
          case PAUSE_SUBSCRIPTION -> NotificationFaultType.PAUSE_FAILED;
          case RESUME_SUBSCRIPTION -> NotificationFaultType.RESUME_FAILED;
          case CREATE_PULL_POINT -> NotificationFaultType.UNABLE_TO_CREATE_PULL_POINT;
          case GET_MESSAGES -> NotificationFaultType.UNABLE_TO_GET_MESSAGES;
          case DESTROY_PULL_POINT -> NotificationFaultType.UNABLE_TO_DESTROY_PULL_POINT;
          case GET_CURRENT_MESSAGE, RENEW, NOTIFY -> null;
        });
  }

  /** Whether it is a read. */
  public boolean read() {
    return read;
  }
}
