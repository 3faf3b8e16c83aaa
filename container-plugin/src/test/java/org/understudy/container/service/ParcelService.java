package org.understudy.container.service;

import jakarta.activation.DataHandler;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.xml.bind.annotation.XmlAttachmentRef;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.nio.ByteBuffer;
import org.understudy.replication.api.StateCapture;

/** Contract-first; its WSDL imports schemas from the internet. */
@WebService(
    name = "Parcels", serviceName = "ParcelService", portName = "Parcels", targetNamespace = "urn:parcels",
    wsdlLocation = "classpath:wsdl/parcels.wsdl")
public class ParcelService implements StateCapture {
  private int sent;

  @WebMethod(action = "urn:parcels:send")
  @WebResult(name = "number", targetNamespace = "urn:parcels")
  public int send(
      @WebParam(name = "to", targetNamespace = "urn:parcels") W3CEndpointReference to,
      @WebParam(name = "content", targetNamespace = "urn:parcels") byte[] content,
      @WebParam(name = "enclosure", targetNamespace = "urn:parcels") @XmlAttachmentRef DataHandler enclosure) {
    return ++sent;
  }

  @Override
  public byte[] captureState() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(sent).array();
  }

  @Override
  public void restoreState(byte[] state) {
    sent = ByteBuffer.wrap(state).getInt();
  }
}
