package org.understudy.wsrf.notification;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.replication.api.Topics;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * The topics of a service: one for each resource property (WS-ResourceProperties 1.2, section 5.6), one for the end of a
 * resource (WS-ResourceLifetime 1.2), and those that the service declares.
 */
public final class ServiceTopics implements ProducerTopics {
  private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";

  private final ResourceDocument document;
  private final TopicSet all;
  private final TopicNamespace declared;

  /**
   * The topics for the current properties of a document: properties added later are no topics.
   *
   * @param declared the service's own; null for none
   */
  public ServiceTopics(ResourceDocument document, Topics declared) {
    this.document = document;
    Map<String, TopicNamespace> namespaces = new LinkedHashMap<>();
    for (QName property : document.names()) {
      if (!document.source(property).isOfTheMoment(property)) {
        add(namespaces, property.getNamespaceURI(), property.getLocalPart());
      }
    }
    add(namespaces, ResourceNotes.TERMINATION.getNamespaceURI(), ResourceNotes.TERMINATION.getLocalPart());
    if (declared != null) {
      for (String path : declared.value()) {
        add(namespaces, declared.namespace(), path);
      }
    }
    this.declared = declared == null ? null : namespaces.get(declared.namespace());
    this.all = TopicSet.of(namespaces.values().toArray(new TopicNamespace[0]));
  }

  private static void add(Map<String, TopicNamespace> namespaces, String namespace, String path) {
    TopicNamespace topics = namespaces.computeIfAbsent(namespace, TopicNamespace::new);
    for (int end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      topics.add(path.substring(0, end));
    }
    topics.add(path);
  }

  @Override
  public TopicSet all() {
    return all;
  }

  @Override
  public Collection<TopicPath> declared() {
    return declared == null ? List.of() : declared.topics();
  }

  @Override
  public TopicPath declared(String path) {
    TopicPath topic = declared == null ? null : TopicPath.of(declared.uri(), path);
    if (topic == null || !declared.contains(topic)) {
      throw new IllegalArgumentException("The service declares no topic " + path + " with @Topics.");
    }
    return topic;
  }

  /** The current value of a property, as a message on its topic; empty for other topics and for properties without value. */
  @Override
  public Optional<byte[]> value(TopicPath topic, ResourceTransaction transaction, Instant now) {
    QName property = topic.steps().size() == 1 ? topic.steps().get(0) : null;
    if (property == null || !document.names().contains(property) || !document.exists(transaction)) {
      return Optional.empty();
    }
    String values = document.values(property, transaction, now);
    String message =
        "<rp:ResourcePropertyValueChangeNotification xmlns:rp=\"" + RP + "\"><rp:NewValues>" + values
            + "</rp:NewValues></rp:ResourcePropertyValueChangeNotification>";
    return values.isEmpty() ? Optional.empty() : Optional.of(message.getBytes(StandardCharsets.UTF_8));
  }

  /** Names of the properties of a NotificationProducer (WS-BaseNotification 1.3, section 4.1), in their order. */
  static List<QName> producerProperties() {
    String wsnt = "http://docs.oasis-open.org/wsn/b-2";
    return List.of(
        new QName(wsnt, "TopicExpression"),
        new QName(wsnt, "FixedTopicSet"),
        new QName(wsnt, "TopicExpressionDialect"),
        new QName(TopicSet.NAMESPACE, "TopicSet"));
  }
}
