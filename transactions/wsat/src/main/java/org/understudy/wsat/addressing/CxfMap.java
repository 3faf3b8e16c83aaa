package org.understudy.wsat.addressing;

import java.util.List;
import java.util.Map;
import org.apache.cxf.ws.addressing.AddressingProperties;
import org.apache.cxf.ws.addressing.AttributedURIType;
import org.apache.cxf.ws.addressing.EndpointReferenceType;
import org.apache.cxf.ws.addressing.EndpointReferenceUtils;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.Names;
import org.apache.cxf.ws.addressing.ReferenceParametersType;
import org.jboss.ws.api.addressing.MAP;
import org.jboss.ws.api.addressing.MAPEndpoint;
import org.jboss.ws.api.addressing.MAPRelatesTo;
import org.w3c.dom.Element;

/** The addressing properties of one message. Used by one thread at a time. */
final class CxfMap implements MAP {
  /** A property of a request at which CXF takes the conduit over {@code HttpURLConnection}, which has no threads of its own. */
  private static final String URL_CONNECTION = "force.urlconnection.http.conduit";

  private final AddressingProperties properties;
  /** Of the request to which this belongs; null before, and at a server. */
  private Map<String, Object> request;

  CxfMap(AddressingProperties properties) {
    this.properties = properties;
  }

  @Override
  public String getTo() {
    return text(properties.getTo());
  }

  @Override
  public void setTo(String address) {
    properties.setTo(EndpointReferenceUtils.getEndpointReference(address));
  }

  @Override
  public MAPEndpoint getFrom() {
    return endpoint(properties.getFrom());
  }

  @Override
  public void setFrom(MAPEndpoint endpoint) {
    properties.setFrom(reference(endpoint));
  }

  @Override
  public String getMessageID() {
    return text(properties.getMessageID());
  }

  @Override
  public void setMessageID(String id) {
    properties.setMessageID(uri(id));
  }

  @Override
  public String getAction() {
    return text(properties.getAction());
  }

  @Override
  public void setAction(String action) {
    properties.setAction(uri(action));
  }

  @Override
  public MAPEndpoint getFaultTo() {
    return endpoint(properties.getFaultTo());
  }

  @Override
  public void setFaultTo(MAPEndpoint endpoint) {
    properties.setFaultTo(reference(endpoint));
  }

  @Override
  public MAPEndpoint getReplyTo() {
    return endpoint(properties.getReplyTo());
  }

  @Override
  public void setReplyTo(MAPEndpoint endpoint) {
    properties.setReplyTo(reference(endpoint));
    limitAcceptance();
  }

  @Override
  public MAPRelatesTo getRelatesTo() {
    return properties.getRelatesTo() == null ? null : new CxfMapRelatesTo(properties.getRelatesTo());
  }

  @Override
  public void setRelatesTo(MAPRelatesTo relates) {
    properties.setRelatesTo(relates == null ? null : ((CxfMapRelatesTo) relates).relates());
  }

  @Override
  public void addReferenceParameter(Element element) {
    getReferenceParameters().add(element);
  }

  @Override
  public List<Object> getReferenceParameters() {
    EndpointReferenceType to = properties.getToEndpointReference();
    if (to == null) {
      to = EndpointReferenceUtils.getEndpointReference(Names.WSA_ANONYMOUS_ADDRESS);
      properties.setTo(to);
    }
    return new CxfMapEndpoint(to).getReferenceParameters();
  }

  /** Addresses the message to an endpoint; the reference parameters become header blocks. */
  @Override
  public void initializeAsDestination(MAPEndpoint endpoint) {
    if (endpoint == null) {
      throw new IllegalArgumentException("The message that is answered names no endpoint for the answer.");
    }
    EndpointReferenceType to = EndpointReferenceUtils.getEndpointReference(endpoint.getAddress());
    if (!endpoint.getReferenceParameters().isEmpty()) {
      to.setReferenceParameters(new ReferenceParametersType());
      to.getReferenceParameters().getAny().addAll(endpoint.getReferenceParameters());
    }
    properties.setTo(to);
  }

  @Override
  public void installOutboundMapOnClientSide(Map<String, Object> context, MAP map) {
    context.put(JAXWSAConstants.CLIENT_ADDRESSING_PROPERTIES, ((CxfMap) map).properties);
    context.put(URL_CONNECTION, true);
    ((CxfMap) map).request = context;
    ((CxfMap) map).limitAcceptance();
  }

  /** A reply may take longer: the one to a client's commit waits for votes. */
  private void limitAcceptance() {
    MAPEndpoint reply = getReplyTo();
    if (request != null && reply != null && Names.WSA_NONE_ADDRESS.equals(reply.getAddress())) {
      AcceptanceTimeout.limit(request);
    }
  }

  @Override
  public void installOutboundMapOnServerSide(Map<String, Object> context, MAP map) {
    context.put(JAXWSAConstants.ADDRESSING_PROPERTIES_OUTBOUND, ((CxfMap) map).properties);
  }

  private static String text(AttributedURIType uri) {
    return uri == null ? null : uri.getValue();
  }

  private static AttributedURIType uri(String text) {
    if (text == null) {
      return null;
    }
    AttributedURIType uri = new AttributedURIType();
    uri.setValue(text);
    return uri;
  }

  private static MAPEndpoint endpoint(EndpointReferenceType reference) {
    return reference == null ? null : new CxfMapEndpoint(reference);
  }

  private static EndpointReferenceType reference(MAPEndpoint endpoint) {
    return endpoint == null ? null : ((CxfMapEndpoint) endpoint).reference();
  }
}
