package org.understudy.client;

import jakarta.jws.WebService;
import java.net.URI;
import java.net.URL;
import java.util.List;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.feature.AbstractFeature;
import org.apache.cxf.feature.Feature;

/** Makes fault-tolerant JAX-WS clients. The application keeps its plain port. */
public final class FaultTolerant {
  private FaultTolerant() {}

  /** A client of a group, for many ports. */
  public static FaultTolerantGroup group(FaultTolerance settings) {
    return new FaultTolerantGroup(settings);
  }

  /**
   * One port with a session of its own, which lives as long as the process.
   *
   * @param type generated from the WSDL; the service has the name in its namespace that ends in Service
   * @param replicas addresses of the service at the replicas
   */
  public static <T> T client(Class<T> type, URL wsdl, List<URI> replicas) {
    String namespace = type.getAnnotation(WebService.class).targetNamespace();
    String name = type.getSimpleName().replaceAll("(PortType)?$", "") + "Service";
    return group(FaultTolerance.ofDefaults(replicas)).client(type, wsdl, new QName(namespace, name));
  }

  /** A CXF feature that does the same to any client it is given to. */
  public static Feature feature(FaultTolerance settings) {
    FaultTolerantGroup group = group(settings);
    return new AbstractFeature() {
      @Override
      public void initialize(Client client, Bus bus) {
        group.attach(client);
      }
    };
  }
}
