package org.understudy.broker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.notification.ProducerTopics;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.TerminationTime;

/**
 * The topics of a broker: the configured ones, or any. A topic of the latter kind is replicated state from its first
 * message on, and expires with its current message when it was not used for its lifetime, so that old topics do not block
 * new ones. The table follows the state under the replica's lock.
 */
final class BrokerTopics implements ProducerTopics, StateListener {
  /** The prefix of a topic's key. */
  static final String KEYS = "topic/";

  private static final Logger LOG = LoggerFactory.getLogger(BrokerTopics.class);
  static final int MAX_TOPICS = 10_000;
  private static final int MAX_TOPIC_CHARS = 2_048;
  /** Bytes of all current messages together. */
  private static final long MAX_CURRENT_BYTES = 64L << 20;

  private final Set<TopicPath> known = ConcurrentHashMap.newKeySet();
  private final Map<String, TopicPath> byKey = new ConcurrentHashMap<>();
  private final Duration lifetime;
  private final Clock clock;
  private final TopicSet all;
  private final Map<String, Integer> current = new ConcurrentHashMap<>();
  private final AtomicLong currentBytes = new AtomicLong();

  /**
   * @param configured {@code any}, or topics like {@code {urn:stock}price/high}, separated by spaces
   * @param lifetime of an unused topic, where any may appear
   * @param clock by which the primary decides
   * @throws IllegalArgumentException when one of them cannot be read
   */
  BrokerTopics(String configured, Duration lifetime, Clock clock) {
    this.lifetime = lifetime;
    this.clock = clock;
    if (configured.isEmpty() || configured.equals("any")) {
      all = TopicSet.open(known);
      return;
    }
    Map<String, TopicNamespace> namespaces = new LinkedHashMap<>();
    for (String topic : configured.split("\\s+")) {
      int end = topic.startsWith("{") ? topic.indexOf('}') : -1;
      String namespace = end < 0 ? "" : topic.substring(1, end);
      namespaces.computeIfAbsent(namespace, TopicNamespace::new).add(topic.substring(end + 1));
    }
    all = TopicSet.of(namespaces.values().toArray(new TopicNamespace[0]));
  }

  @Override
  public TopicSet all() {
    return all;
  }

  /** Empty: the topics of a broker do not belong to a resource. */
  @Override
  public Collection<TopicPath> declared() {
    return List.of();
  }

  @Override
  public TopicPath declared(String path) {
    throw new IllegalArgumentException("A broker does not declare topics such as " + path + ".");
  }

  @Override
  public Optional<byte[]> value(TopicPath topic, ResourceTransaction transaction, Instant now) {
    return Optional.empty();
  }

  /**
   * Records, in an update, a message on a topic.
   *
   * @throws NotificationFault when the topic is unknown
   * @throws SoapFault when the limit of topics is reached
   */
  void use(TopicPath topic, ResourceTransaction transaction) throws NotificationFault, SoapFault {
    if (topic.equals(TopicPath.NONE)) {
      return;
    }
    if (all.fixed()) {
      if (!all.contains(topic)) {
        throw NotificationFault.of(NotificationFaultType.TOPIC_NOT_SUPPORTED, "This broker has no topic " + topic + ".");
      }
      return;
    }
    String name = topic.toString();
    String key = KEYS + name;
    if (transaction.state(key) != null) {
      renew(transaction, key);
      return;
    }
    if (name.length() > MAX_TOPIC_CHARS) {
      throw SoapFault.sender("A topic with its namespaces must have at most " + MAX_TOPIC_CHARS + " characters.");
    }
    if (known.size() >= KeyKind.REACH * MAX_TOPICS) {
      throw SoapFault.sender("The broker has " + MAX_TOPICS + " topics, the maximum. Use one of them.");
    }
    transaction.put(key, encode(topic));
    renew(transaction, key);
  }

  /** Most messages change nothing here: a time is written again when half of it has passed. */
  private void renew(ResourceTransaction transaction, String key) {
    Instant now = clock.instant();
    Instant end = TerminationTime.of(transaction, key);
    if (end == null || Duration.between(now, end).compareTo(lifetime.dividedBy(2)) < 0) {
      TerminationTime.set(transaction, key, now.plus(lifetime));
    }
  }

  /** Ends the transaction's topic, in an update. */
  static void end(ResourceTransaction transaction) {
    String current = Notifications.CURRENT + "/" + transaction.key().substring(KEYS.length());
    if (transaction.state(current) != null) {
      transaction.remove(current);
    }
    transaction.destroy();
  }

  /** Whether a message of this length fits as the current one of its topic. */
  boolean hasRoom(TopicPath topic, int bytes) {
    int before = current.getOrDefault(Notifications.currentKey("", topic), 0);
    return currentBytes.get() - before + bytes <= MAX_CURRENT_BYTES;
  }

  // ------------------------------------------------------------------------------------------------ the state

  @Override
  public void onReset() {
    known.clear();
    byKey.clear();
    current.clear();
    currentBytes.set(0);
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(KEYS) || key.startsWith(Notifications.CURRENT);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (key.startsWith(KEYS) && state == null) {
      TopicPath ended = byKey.remove(key);
      if (ended != null) {
        known.remove(ended);
      }
    } else if (key.startsWith(KEYS)) {
      try {
        TopicPath topic = decode(state);
        byKey.put(key, topic);
        known.add(topic);
      } catch (IOException | IllegalArgumentException e) {
        LOG.error("The topic {} cannot be read. The topic set of this replica lacks it.", key, e);
      }
    } else if (key.startsWith(Notifications.CURRENT)) {
      Integer before = state == null ? current.remove(key) : current.put(key, state.length);
      currentBytes.addAndGet((state == null ? 0 : state.length) - (before == null ? 0 : before));
    }
  }

  private static byte[] encode(TopicPath topic) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(topic.steps().size());
      for (QName step : topic.steps()) {
        out.writeUTF(step.getNamespaceURI());
        out.writeUTF(step.getLocalPart());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The topic " + topic + " cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  private static TopicPath decode(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      List<QName> steps = new ArrayList<>();
      for (int i = in.readByte(); i > 0; i--) {
        steps.add(new QName(in.readUTF(), in.readUTF()));
      }
      return new TopicPath(steps);
    }
  }
}
