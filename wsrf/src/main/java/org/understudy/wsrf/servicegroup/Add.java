package org.understudy.wsrf.servicegroup;

import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.replication.api.SessionId;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.envelope.XsBoolean;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.lifetime.LifetimeOperations;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.ResourceOperation;
import org.w3c.dom.Element;

/** Registers a member (WS-ServiceGroup 1.2, section 6.1). */
final class Add extends ResourceOperation {
  /**
   * Elements in which an endpoint reference names its interface: WS-Addressing 1.0 Metadata, and the draft that many
   * clients still use.
   */
  private static final Set<String> METADATA =
      Set.of("http://www.w3.org/2007/05/addressing/metadata", "http://www.w3.org/2006/05/addressing/wsdl");
  private static final int MAX_CHARACTERS = 65_536;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final ServiceGroup group;
  private final SecureRandom random = new SecureRandom();

  Add(ServiceGroup group, ResourceDocument document) {
    super(
        document,
        new QName(ServiceGroup.NAMESPACE, "Add"),
        "http://docs.oasis-open.org/wsrf/sgw-2/ServiceGroupRegistration/AddResponse",
        null);
    this.group = group;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element request = invocation.body();
    Element member = Elements.child(request, ServiceGroup.NAMESPACE, "MemberEPR");
    Element content = Elements.child(request, ServiceGroup.NAMESPACE, "Content");
    long names = Elements.children(request).stream().map(Elements::name).distinct().count();
    if (member == null || content == null || names < Elements.children(request).size()) {
      throw refused(invocation, "Add must hold one MemberEPR, one Content, and at most one InitialTerminationTime.");
    }
    Element address = Elements.child(member, Addressing.NAMESPACE, "Address");
    if (address == null || address.getTextContent().isBlank()) {
      throw refused(invocation, "The MemberEPR has no wsa:Address.");
    }
    checkRules(member, content, invocation);
    Instant end = termination(request, invocation);
    Entry entry = Entry.of(member, content);
    if (entry.member().length() + entry.content().length() > MAX_CHARACTERS) {
      throw refused(invocation, "The entry has more than " + MAX_CHARACTERS + " characters.");
    }
    if (group.isFull()) {
      throw refused(invocation, "The group has " + group.maxEntries() + " entries, the maximum.");
    }
    String key = Entry.KEYS + new SessionId(random.nextLong(), random.nextLong());
    group.add(invocation.transaction(), key, entry, end);
    StringBuilder response = new StringBuilder(512);
    response.append(ServiceGroup.element("ServiceGroupEntryReference", group.reference(key)));
    LifetimeOperations.time(new QName(ServiceGroup.NAMESPACE, "TerminationTime", "sg"), end, response);
    LifetimeOperations.time(new QName(ServiceGroup.NAMESPACE, "CurrentTime", "sg"), invocation.now(), response);
    return ServiceGroup.element("AddResponse", response.toString());
  }

  @Override
  public DeclaredFault full(String sentence, Instant now) {
    return BaseFault.of(ResourceFaultType.ADD_REFUSED, now, sentence).declared();
  }

  private DeclaredFault refused(Invocation invocation, String sentence) {
    return fault(ResourceFaultType.ADD_REFUSED, invocation, sentence).declared();
  }

  private void checkRules(Element member, Element content, Invocation invocation) throws DeclaredFault {
    if (group.rules().isEmpty()) {
      return;
    }
    Set<QName> implemented = interfaces(member, invocation);
    Set<QName> elements = new HashSet<>();
    Elements.children(content).forEach(element -> elements.add(Elements.name(element)));
    boolean interfaceAllowed = false;
    for (ContentRule rule : group.rules()) {
      if (rule.allowsInterfaces(implemented)) {
        interfaceAllowed = true;
        if (rule.allowsContent(elements)) {
          return;
        }
      }
    }
    throw interfaceAllowed
        ? fault(
            ResourceFaultType.CONTENT_CREATION_FAILED, invocation,
            "The Content lacks elements that the group's rules require. See its MembershipContentRule.").declared()
        : fault(
            ResourceFaultType.UNSUPPORTED_MEMBER_INTERFACE, invocation,
            "The metadata of the MemberEPR names no interface that the group's rules require. See its MembershipContentRule.")
            .declared();
  }

  private Set<QName> interfaces(Element member, Invocation invocation) throws DeclaredFault {
    Set<QName> interfaces = new HashSet<>();
    Element metadata = Elements.child(member, Addressing.NAMESPACE, "Metadata");
    if (metadata != null) {
      for (Element element : Elements.children(metadata)) {
        if (METADATA.contains(element.getNamespaceURI()) && element.getLocalName().equals("InterfaceName")) {
          try {
            interfaces.add(Elements.qname(element, Elements.text(element)));
          } catch (IllegalArgumentException e) {
            throw refused(invocation, "The interface name in the MemberEPR is invalid: " + e.getMessage());
          }
        }
      }
    }
    return interfaces;
  }

  /** Null: never. */
  private Instant termination(Element request, Invocation invocation) throws DeclaredFault {
    Element initial = Elements.child(request, ServiceGroup.NAMESPACE, "InitialTerminationTime");
    if (initial == null) {
      return null;
    }
    Instant time = null;
    try {
      boolean nil = XsBoolean.isTrue(initial.getAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"));
      RequestedTermination requested = RequestedTermination.parse(Elements.text(initial), nil);
      if (requested instanceof RequestedTermination.At at) {
        time = at.time();
      } else if (requested instanceof RequestedTermination.After after) {
        time = after.from(invocation.now());
      }
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw refused(invocation, "The InitialTerminationTime is invalid: " + e.getMessage());
    }
    if (time == null || !time.isAfter(invocation.now()) || time.isAfter(LAST)) {
      throw refused(
          invocation, "The InitialTerminationTime " + time + " is not after now, which is " + invocation.now()
              + ", and before the year 10000.");
    }
    return RequestedTermination.granted(time);
  }
}
