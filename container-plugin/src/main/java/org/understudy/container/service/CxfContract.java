package org.understudy.container.service;

import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.message.ExchangeImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.service.Service;
import org.understudy.wsrf.contract.ServiceContract;
import org.w3c.dom.Document;

/** The contract that CXF publishes for a service, from its WSDL or from its code. */
public final class CxfContract implements ServiceContract {
  private final WSDLGetUtils contracts = new WSDLGetUtils();
  private final Message message = new MessageImpl();
  private final Endpoint endpoint;

  public CxfContract(Bus bus, Endpoint endpoint) {
    this.endpoint = endpoint;
    ExchangeImpl exchange = new ExchangeImpl();
    exchange.put(Bus.class, bus);
    exchange.put(Endpoint.class, endpoint);
    exchange.put(Service.class, endpoint.getService());
    message.setExchange(exchange);
  }

  @Override
  public String port() {
    return endpoint.getEndpointInfo().getName().getLocalPart();
  }

  @Override
  public QName portType() {
    return endpoint.getEndpointInfo().getInterface().getName();
  }

  @Override
  public Document document(String query, String address) {
    int equals = query.indexOf('=');
    Map<String, String> parameters =
        equals < 0 ? Map.of(query, "") : Map.of(query.substring(0, equals), query.substring(equals + 1));
    return contracts.getDocument(message, address, parameters, "", endpoint.getEndpointInfo());
  }
}
