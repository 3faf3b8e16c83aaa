package org.understudy.boot;

import jakarta.xml.ws.Endpoint;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application of Spring Boot that publishes an endpoint of CXF. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class CountingApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(CountingApplication.class, arguments);
  }

  @Bean
  CountingService countingService() {
    return new CountingService();
  }

  @Bean
  Endpoint endpoint(Bus bus, CountingService service) {
    EndpointImpl endpoint = new EndpointImpl(bus, service);
    endpoint.publish("/counting");
    return endpoint;
  }
}
