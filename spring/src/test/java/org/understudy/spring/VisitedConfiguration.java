package org.understudy.spring;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.spring.SpringBus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.annotation.RequestScope;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service that uses a bean of the request. */
@Configuration
public class VisitedConfiguration {
  @Bean(name = Bus.DEFAULT_BUS_ID)
  SpringBus cxf() {
    return new SpringBus();
  }

  @Bean
  @RequestScope
  Visit visit() {
    return new Visit();
  }

  @Bean
  Endpoint endpoint(Bus bus, Visit visit) {
    EndpointImpl endpoint = new EndpointImpl(bus, new Host(visit));
    endpoint.publish("/greeter");
    return endpoint;
  }

  /** The service. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:greeter", serviceName = "Host", portName = "HostPort")
  public static class Host {
    private final Visit visit;

    @ReplicatedState private int count;

    Host(Visit visit) {
      this.visit = visit;
    }

    public String greet(@WebParam(name = "name") String name) {
      count++;
      return "Come in " + visit.add(name) + " " + count;
    }
  }
}
