package org.understudy.client;

import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.wsdl.Definition;
import javax.wsdl.Port;
import javax.wsdl.Service;
import javax.wsdl.WSDLException;
import javax.wsdl.extensions.soap.SOAPBinding;
import javax.wsdl.extensions.soap12.SOAP12Binding;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.feature.Feature;
import org.apache.cxf.helpers.CastUtils;
import org.apache.cxf.jaxws.JaxWsClientFactoryBean;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.jaxws.support.JaxWsImplementorInfo;
import org.apache.cxf.wsdl.WSDLManager;

/** Creates ports, and caches the WSDL service and port of each interface. */
final class PortBlueprints {
  private final Map<Key, Names> known = new ConcurrentHashMap<>();

  private record Key(Class<?> type, String wsdl) {}

  private record Names(QName service, QName port) {}

  <T> T port(Class<T> type, URL wsdl, String address, Feature feature) {
    Bus bus = BusFactory.getThreadDefaultBus();
    JaxWsClientFactoryBean client = new JaxWsClientFactoryBean();
    client.setServiceFactory(new PortOperations());
    JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean(client);
    factory.setBus(bus);
    factory.setServiceClass(type);
    factory.setAddress(address);
    if (wsdl == null) {
      // The interface may name the address of a WSDL that no longer exists.
      factory.getServiceFactory().setPopulateFromClass(true);
    } else {
      Names names = known.computeIfAbsent(new Key(type, wsdl.toString()), key -> find(bus, type, wsdl));
      factory.setWsdlURL(wsdl.toString());
      factory.setServiceName(names.service);
      factory.setEndpointName(names.port);
    }
    factory.getFeatures().add(feature);
    return factory.create(type);
  }

  private static Names find(Bus bus, Class<?> type, URL wsdl) {
    Definition definition;
    try {
      definition = bus.getExtension(WSDLManager.class).getDefinition(wsdl.toString());
    } catch (WSDLException e) {
      throw new IllegalArgumentException("The WSDL cannot be read: " + wsdl, e);
    }
    QName portType = new JaxWsImplementorInfo(type).getInterfaceName();
    Names soap12 = null;
    Map<QName, Service> services = CastUtils.cast(definition.getAllServices());
    for (Service service : services.values()) {
      Map<String, Port> ports = CastUtils.cast(service.getPorts());
      for (Port port : ports.values()) {
        if (!portType.equals(port.getBinding().getPortType().getQName())) {
          continue;
        }
        Names names = new Names(service.getQName(), new QName(service.getQName().getNamespaceURI(), port.getName()));
        List<?> extensions = port.getBinding().getExtensibilityElements();
        if (extensions.stream().anyMatch(SOAPBinding.class::isInstance)) {
          return names;
        }
        if (extensions.stream().anyMatch(SOAP12Binding.class::isInstance)) {
          soap12 = names;
        }
      }
    }
    if (soap12 == null) {
      throw new IllegalArgumentException("The WSDL has no SOAP port of " + portType + ": " + wsdl);
    }
    return soap12;
  }
}
