package org.understudy.wsat.addressing;

import java.util.List;
import org.apache.cxf.ws.addressing.EndpointReferenceType;
import org.apache.cxf.ws.addressing.ReferenceParametersType;
import org.jboss.ws.api.addressing.MAPEndpoint;
import org.w3c.dom.Element;

/** An endpoint reference. Used by one thread at a time. */
final class CxfMapEndpoint implements MAPEndpoint {
  private final EndpointReferenceType reference;

  CxfMapEndpoint(EndpointReferenceType reference) {
    this.reference = reference;
  }

  EndpointReferenceType reference() {
    return reference;
  }

  @Override
  public String getAddress() {
    return reference.getAddress() == null ? null : reference.getAddress().getValue();
  }

  @Override
  public void addReferenceParameter(Element element) {
    element.setTextContent(InstanceIds.sent(getAddress(), element.getTextContent()));
    getReferenceParameters().add(element);
  }

  @Override
  public List<Object> getReferenceParameters() {
    if (reference.getReferenceParameters() == null) {
      reference.setReferenceParameters(new ReferenceParametersType());
    }
    return reference.getReferenceParameters().getAny();
  }
}
