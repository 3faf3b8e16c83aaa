package org.understudy.wsat.addressing;

import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.Names;
import org.jboss.ws.api.addressing.MAPConstants;

/** The addresses with a meaning of their own, and the names of CXF's context properties. */
final class CxfMapConstants implements MAPConstants {
  @Override
  public String getAnonymousURI() {
    return Names.WSA_ANONYMOUS_ADDRESS;
  }

  @Override
  public String getNoneURI() {
    return Names.WSA_NONE_ADDRESS;
  }

  @Override
  public String getClientAddressingProperties() {
    return JAXWSAConstants.CLIENT_ADDRESSING_PROPERTIES;
  }

  @Override
  public String getClientAddressingPropertiesInbound() {
    return JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND;
  }

  @Override
  public String getClientAddressingPropertiesOutbound() {
    return JAXWSAConstants.ADDRESSING_PROPERTIES_OUTBOUND;
  }

  @Override
  public String getServerAddressingPropertiesInbound() {
    return JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND;
  }

  @Override
  public String getServerAddressingPropertiesOutbound() {
    return JAXWSAConstants.ADDRESSING_PROPERTIES_OUTBOUND;
  }
}
