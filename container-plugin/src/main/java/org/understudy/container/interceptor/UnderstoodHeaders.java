package org.understudy.container.interceptor;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.binding.soap.interceptor.MustUnderstandInterceptor;
import org.apache.cxf.headers.Header;
import org.apache.cxf.phase.Phase;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.XsBoolean;
import org.w3c.dom.Element;

/**
 * Declares to the service's stack the headers that this plugin understands. A client may therefore mark them
 * {@code mustUnderstand}, as many clients do with those of WS-Addressing. Of the others it marks those whose {@code mustUnderstand} has
 * white space around it, which an {@code xs:boolean} allows and the stack ignores.
 */
public final class UnderstoodHeaders extends AbstractSoapInterceptor {
  private static final String MUST_UNDERSTAND = "mustUnderstand";
  private static final Set<QName> NAMES =
      Stream.concat(
              Stream.of("To", "Action", "MessageID", "ReplyTo", "FaultTo", "From", "RelatesTo")
                  .map(Addressing::name),
              Stream.of(ReplicationNames.HEADER, ReplicationNames.RESOURCE_ID))
          .collect(Collectors.toUnmodifiableSet());

  private final Set<QName> names;

  public UnderstoodHeaders() {
    this(Set.of());
  }

  /** @param more those of coordination protocols */
  public UnderstoodHeaders(Set<QName> more) {
    super(Phase.PRE_PROTOCOL);
    addBefore(MustUnderstandInterceptor.class.getName());
    names = Stream.concat(NAMES.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Set<QName> getUnderstoodHeaders() {
    return names;
  }

  @Override
  public void handleMessage(SoapMessage message) {
    String namespace = message.getVersion().getNamespace();
    for (Header header : message.getHeaders()) {
      if (header instanceof SoapHeader block && block.getObject() instanceof Element element) {
        boolean must = XsBoolean.isTrue(element.getAttributeNS(namespace, MUST_UNDERSTAND));
        block.setMustUnderstand(block.isMustUnderstand() || must);
      }
    }
  }
}
