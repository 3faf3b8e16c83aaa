package ${package};

import jakarta.xml.ws.Endpoint;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Publishes the service at /services/InventoryService; the starter replicates what is marked with FaultTolerant. */
@SpringBootApplication
public class Application {
  public static void main(String[] arguments) {
    SpringApplication.run(Application.class, arguments);
  }

  @Bean
  InventoryService inventory() {
    return new InventoryService();
  }

  @Bean
  Endpoint endpoint(Bus bus, InventoryService inventory) {
    EndpointImpl endpoint = new EndpointImpl(bus, inventory);
    endpoint.publish("/InventoryService");
    return endpoint;
  }
}
