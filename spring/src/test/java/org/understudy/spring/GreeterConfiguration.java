package org.understudy.spring;

import jakarta.xml.ws.Endpoint;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.spring.SpringBus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.understudy.container.attachment.FaultTolerantFeature;

/** The configuration of greeter.xml in Java. */
@Configuration
public class GreeterConfiguration {
  @Bean(name = Bus.DEFAULT_BUS_ID)
  SpringBus cxf() {
    SpringBus bus = new SpringBus();
    bus.getFeatures().add(new FaultTolerantFeature());
    return bus;
  }

  @Bean
  Greetings greetings() {
    Greetings greetings = new Greetings();
    greetings.setWord("Hello");
    return greetings;
  }

  @Bean
  Greeter greeter(Greetings greetings) {
    return new Greeter(greetings);
  }

  @Bean
  Endpoint endpoint(Bus bus, Greeter greeter) {
    EndpointImpl endpoint = new EndpointImpl(bus, greeter);
    endpoint.publish("/greeter");
    return endpoint;
  }
}
