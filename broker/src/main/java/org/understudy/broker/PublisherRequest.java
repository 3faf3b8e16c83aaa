package org.understudy.broker;

import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.operation.Operation;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.soap.xml.XmlText;

/** The bodies of requests to publishers. */
final class PublisherRequest {
  private PublisherRequest() {}

  /**
   * Subscribes to a topic.
   *
   * @param consumer the URL of the broker
   * @param registration the id that the publisher sends along with each message
   */
  static String subscribe(String consumer, String registration, TopicExpression topic) {
    StringBuilder body = new StringBuilder(512);
    body.append("<wsnt:Subscribe xmlns:wsnt=\"").append(NotifyNames.NAMESPACE).append("\"><wsnt:ConsumerReference>");
    body.append(WrittenReference.to(consumer, registration));
    body.append("</wsnt:ConsumerReference><wsnt:Filter><wsnt:TopicExpression");
    topic.source().namespaces().forEach(
        (prefix, uri) -> body.append(" xmlns:").append(prefix).append("=\"").append(XmlText.escape(uri)).append('"'));
    body.append(" Dialect=\"").append(XmlText.escape(topic.source().dialect())).append("\">");
    body.append(XmlText.escape(topic.source().text()));
    return body.append("</wsnt:TopicExpression></wsnt:Filter></wsnt:Subscribe>").toString();
  }

  /** Renews a subscription. */
  static String renew(long seconds) {
    return manage(Operation.RENEW, "<wsnt:TerminationTime>PT" + seconds + "S</wsnt:TerminationTime>");
  }

  /** An operation on a subscription without further content. */
  static String manage(Operation operation) {
    return manage(operation, "");
  }

  private static String manage(Operation operation, String content) {
    String name = operation.body().getLocalPart();
    return "<wsnt:" + name + " xmlns:wsnt=\"" + NotifyNames.NAMESPACE + "\">" + content + "</wsnt:" + name + ">";
  }
}
