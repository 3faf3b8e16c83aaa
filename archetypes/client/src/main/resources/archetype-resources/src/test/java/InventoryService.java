package ${package};

import ${package}.contract.Inventory;
import jakarta.jws.WebService;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicatedState;

/** Replaces your service in the test. */
@WebService(
    endpointInterface = "${package}.contract.Inventory", targetNamespace = "urn:${artifactId}", serviceName = "InventoryService",
    portName = "Inventory")
@ReplicatedState
public class InventoryService implements Inventory {
  private final Map<String, Integer> stock = new TreeMap<>();

  @Override
  public int add(String item, int count) {
    return stock.merge(item, count, Integer::sum);
  }
}
