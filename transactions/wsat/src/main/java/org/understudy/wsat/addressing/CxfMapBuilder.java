package org.understudy.wsat.addressing;

import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.ws.addressing.AddressingProperties;
import org.apache.cxf.ws.addressing.EndpointReferenceUtils;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.RelatesToType;
import org.jboss.ws.api.addressing.MAP;
import org.jboss.ws.api.addressing.MAPBuilder;
import org.jboss.ws.api.addressing.MAPConstants;
import org.jboss.ws.api.addressing.MAPEndpoint;
import org.jboss.ws.api.addressing.MAPRelatesTo;

/** Makes addressing properties, and finds those of a message in its context. Thread-safe. */
final class CxfMapBuilder implements MAPBuilder {
  private static final MAPConstants CONSTANTS = new CxfMapConstants();

  @Override
  public MAP newMap() {
    return new CxfMap(new AddressingProperties());
  }

  @Override
  public MAP inboundMap(Map<String, Object> context) {
    return of(context.get(JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND));
  }

  @Override
  public MAP outboundMap(Map<String, Object> context) {
    MAP map = of(context.get(JAXWSAConstants.CLIENT_ADDRESSING_PROPERTIES));
    if (map == null) {
      map = newMap();
      map.installOutboundMapOnClientSide(context, map);
    }
    return map;
  }

  private static MAP of(Object properties) {
    return properties instanceof AddressingProperties known ? new CxfMap(known) : null;
  }

  @Override
  public MAPConstants newConstants() {
    return CONSTANTS;
  }

  @Override
  public MAPEndpoint newEndpoint(String address) {
    return new CxfMapEndpoint(EndpointReferenceUtils.getEndpointReference(address));
  }

  @Override
  public MAPRelatesTo newRelatesTo(String messageId, QName type) {
    RelatesToType relates = new RelatesToType();
    relates.setValue(messageId);
    if (type != null) {
      relates.setRelationshipType(type.toString());
    }
    return new CxfMapRelatesTo(relates);
  }
}
