package org.understudy.wsrf.servicegroup;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicSet;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.soap.ResourceId;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.xml.XmlText;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.notification.NotificationSink;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.property.PropertyOperations;
import org.understudy.wsrf.property.PropertySource;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * The service group of a deployment (WS-ServiceGroup 1.2): services and resources register with Add, and each entry is a
 * resource that ends by Destroy or at its termination time. The entries are replicated state.
 */
public final class ServiceGroup {
  /** Of the elements. */
  public static final String NAMESPACE = "http://docs.oasis-open.org/wsrf/sg-2";
  /** The key of the group: updates of its membership exclude each other, and its notifications name it as producer. */
  public static final String KEY = "group/ServiceGroup";
  /** The topic of additions and removals (section 7). */
  public static final QName MODIFICATION = new QName(NAMESPACE, "ServiceGroupModification");

  private static final QName RULE = new QName(NAMESPACE, "MembershipContentRule");
  private static final QName ENTRY = new QName(NAMESPACE, "Entry");
  private static final QName GROUP_REFERENCE = new QName(NAMESPACE, "ServiceGroupEPR");
  private static final QName MEMBER_REFERENCE = new QName(NAMESPACE, "MemberEPR");
  private static final QName CONTENT = new QName(NAMESPACE, "Content");

  private final String servicesUrl;
  private final List<ContentRule> rules;
  private final int maxEntries;
  private final Lifetimes lifetimes;
  private final Entries entries = new Entries();
  private final Endpoint endpoint = Endpoint.ofOne("/services/ServiceGroup", KEY);
  private final Endpoint entryEndpoint = new Endpoint("/services/ServiceGroupEntry", Entry.KEYS);
  private final ResourceDocument document;
  private final ResourceDocument entryDocument;
  private volatile NotificationSink sink = NotificationSink.NONE;

  /**
   * Creates a group, which is empty until {@link #follower} receives entries.
   *
   * @param applicationUrl of this replica's web application
   * @param rules the membership rules, as configured
   * @param maxEntries entries at a time
   * @throws IllegalArgumentException when the rules are invalid
   */
  public ServiceGroup(
      String applicationUrl, String rules, int maxEntries, Lifetimes lifetimes) {
    this.servicesUrl = applicationUrl;
    this.rules = ContentRule.parse(rules);
    this.maxEntries = maxEntries;
    this.lifetimes = lifetimes;
    lifetimes.end(Entry.KEYS, this::end);
    document =
        new ResourceDocument(new QName(PublishedContracts.NAMESPACE, "ServiceGroupRP"), transaction -> true, transaction -> address())
            .add(new GroupProperties());
    entryDocument =
        new ResourceDocument(
            new QName(PublishedContracts.NAMESPACE, "ServiceGroupEntryRP"),
            transaction -> entry(transaction) != null,
            transaction -> entryAddress(transaction.key()))
            .add(new EntryProperties());
    PropertyOperations.addReads(endpoint, document);
    endpoint.add(new Add(this, document));
    PropertyOperations.addReads(entryEndpoint, entryDocument);
  }

  /**
   * The kind of keys of its entries.
   *
   * @param setting the name of the setting for their maximum number
   */
  public static KeyKind kind(int maxEntries, String setting) {
    return KeyKind.counted(Entry.KEYS, "entries of the service group", maxEntries, setting);
  }

  /** The listener of the replicated state. */
  public StateListener follower() {
    return entries;
  }

  /** The endpoint of the group. */
  public Endpoint endpoint() {
    return endpoint;
  }

  public ResourceDocument document() {
    return document;
  }

  /** The endpoint of its entries. */
  public Endpoint entryEndpoint() {
    return entryEndpoint;
  }

  public ResourceDocument entryDocument() {
    return entryDocument;
  }

  /** The topics that can be subscribed to at the group (section 7). */
  public TopicSet topics() {
    TopicNamespace topics = new TopicNamespace(NAMESPACE);
    topics.add(MODIFICATION.getLocalPart());
    return TopicSet.of(topics);
  }

  /** Sets the receiver of notifications of additions and removals. */
  public void tell(NotificationSink to) {
    sink = to;
  }

  List<ContentRule> rules() {
    return rules;
  }

  boolean isFull() {
    return entries.all().size() >= KeyKind.REACH * maxEntries;
  }

  int maxEntries() {
    return maxEntries;
  }

  /** Adds an entry, in an update of the group. */
  void add(ResourceTransaction transaction, String key, Entry entry, Instant end) {
    transaction.put(key, entry.bytes());
    lifetimes.set(transaction, key, end);
    if (sink.wanted(transaction, KEY, MODIFICATION)) {
      sink.publish(transaction, KEY, MODIFICATION, notification("EntryAdditionNotification", key, entry, null));
    }
  }

  /** Ends an entry, in an update of the entry. */
  private void end(ResourceTransaction transaction) {
    Entry entry = entry(transaction);
    if (entry != null && sink.wanted(transaction, KEY, MODIFICATION)) {
      String reason = lifetimes.isDue(transaction) ? "Expired" : "Destroyed";
      sink.publish(transaction, KEY, MODIFICATION, notification("EntryRemovalNotification", transaction.key(), entry, reason));
    }
    transaction.destroy();
  }

  private static Entry entry(ResourceTransaction transaction) {
    byte[] kept = transaction.key() == null ? null : transaction.state(transaction.key());
    return kept == null ? null : Entry.read(kept);
  }

  private String address() {
    return servicesUrl + endpoint.path();
  }

  private String entryAddress(String key) {
    return servicesUrl + entryEndpoint.path() + "/" + key.substring(Entry.KEYS.length());
  }

  /** The content of the endpoint reference of an entry. */
  String reference(String key) {
    return "<wsa:Address xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + XmlText.escape(entryAddress(key)) + "</wsa:Address>"
        + "<wsa:ReferenceParameters xmlns:wsa=\"" + Addressing.NAMESPACE + "\">"
        + ResourceId.of(key.substring(Entry.KEYS.length())) + "</wsa:ReferenceParameters>";
  }

  private byte[] notification(String name, String key, Entry entry, String reason) {
    StringBuilder text = new StringBuilder(512);
    write(name, key, entry, reason == null ? "" : element("Reason", reason), text);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void write(String name, String key, Entry entry, String more, StringBuilder to) {
    to.append(element(name,
        element("ServiceGroupEntryEPR", reference(key)) + element("MemberServiceEPR", entry.member())
            + element("Content", entry.content()) + more));
  }

  /** An element of the specification. */
  static String element(String name, String content) {
    return "<sg:" + name + " xmlns:sg=\"" + NAMESPACE + "\">" + content + "</sg:" + name + ">";
  }

  /** Section 4. */
  private final class GroupProperties implements PropertySource {
    @Override
    public List<QName> names() {
      return List.of(RULE, ENTRY);
    }

    @Override
    public Property describe(QName name) {
      return new Property(name, null, true, true);
    }

    @Override
    public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
      if (name.equals(RULE)) {
        rules.forEach(rule -> rule.append(to));
      } else {
        transaction.scan(Entry.KEYS);
        for (Map.Entry<String, Entry> entry : entries.all().entrySet()) {
          write("Entry", entry.getKey(), entry.getValue(), "", to);
        }
      }
    }
  }

  /** Section 5. */
  private final class EntryProperties implements PropertySource {
    @Override
    public List<QName> names() {
      return List.of(GROUP_REFERENCE, MEMBER_REFERENCE, CONTENT);
    }

    @Override
    public Property describe(QName name) {
      return new Property(name, null, !name.equals(GROUP_REFERENCE), false);
    }

    @Override
    public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
      Entry entry = entry(transaction);
      String content;
      if (name.equals(GROUP_REFERENCE)) {
        content =
            "<wsa:Address xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + XmlText.escape(address()) + "</wsa:Address>";
      } else {
        content = name.equals(MEMBER_REFERENCE) ? entry.member() : entry.content();
      }
      to.append(element(name.getLocalPart(), content));
    }
  }
}
