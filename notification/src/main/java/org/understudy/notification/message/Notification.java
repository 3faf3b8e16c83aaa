package org.understudy.notification.message;

import java.lang.ref.SoftReference;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xpath.XPathException;
import org.understudy.notification.xpath.XmlTree;

/**
 * One published message on one topic. All deliveries share its bytes, which must not be changed. Immutable and thread-safe.
 */
public final class Notification {
  /** The largest document, in nodes, that a filter can query: some 10 MB of memory for a moment. */
  public static final int MAX_FILTERED_NODES = 50_000;

  private final String producer;
  private final TopicPath topic;
  private final byte[] xml;
  private final long position;
  private final byte[] properties;
  private final byte[] origin;

  /** Many subscriptions may query one message; the document is released when memory is short. */
  private volatile SoftReference<XmlTree> contentTree = new SoftReference<>(null);
  private volatile SoftReference<XmlTree> propertiesTree = new SoftReference<>(null);

  /**
   * A message.
   *
   * @param producer the key of the resource that sends it; empty: the service itself
   * @param topic the topic
   * @param xml one XML element in UTF-8 that declares every prefix it uses; no XML declaration, no DOCTYPE
   * @param position its place in the order of all messages, ascending; no two messages share one
   * @param properties the producer's resource property document at that time, for filters; null: there is none, or no filter
   *     needs it
   */
  public Notification(String producer, TopicPath topic, byte[] xml, long position, byte[] properties) {
    this(producer, topic, xml, position, properties, null);
  }

  /**
   * A forwarded message.
   *
   * @param origin the original producer, instead of a reference to this one: an element {@code wsnt:ProducerReference} in
   *     UTF-8 that declares every prefix it uses; null: this producer
   */
  public Notification(
      String producer, TopicPath topic, byte[] xml, long position, byte[] properties, byte[] origin) {
    this.producer = producer;
    this.topic = topic;
    this.xml = xml;
    this.position = position;
    this.properties = properties;
    this.origin = origin;
  }

  /** The key of the resource that sends it; empty: the service itself. */
  public String producer() {
    return producer;
  }

  /** The topic. */
  public TopicPath topic() {
    return topic;
  }

  /** The message itself, one XML element; not to be changed. */
  public byte[] xml() {
    return xml;
  }

  /** The original producer, as an element; null: this one. Not to be changed. */
  public byte[] origin() {
    return origin;
  }

  /** Its place in the order of all messages. */
  public long position() {
    return position;
  }

  /** Bytes that it holds. */
  public int size() {
    return xml.length + (properties == null ? 0 : properties.length) + (origin == null ? 0 : origin.length);
  }

  /**
   * The message as a document for queries. Cached for a while.
   *
   * @throws XPathException when it is not well-formed or too large
   */
  public XmlTree content() throws XPathException {
    XmlTree tree = contentTree.get();
    if (tree == null) {
      tree = parse(xml, "message");
      contentTree = new SoftReference<>(tree);
    }
    return tree;
  }

  /** The producer's properties as a document for queries, if there are any; otherwise as {@link #content()}. */
  public Optional<XmlTree> properties() throws XPathException {
    if (properties == null) {
      return Optional.empty();
    }
    XmlTree tree = propertiesTree.get();
    if (tree == null) {
      tree = parse(properties, "resource property document");
      propertiesTree = new SoftReference<>(tree);
    }
    return Optional.of(tree);
  }

  private static XmlTree parse(byte[] document, String what) throws XPathException {
    try {
      return XmlTree.parse(document, MAX_FILTERED_NODES);
    } catch (XMLStreamException e) {
      throw XPathException.of("The " + what + " cannot be queried: " + e.getMessage());
    }
  }
}
