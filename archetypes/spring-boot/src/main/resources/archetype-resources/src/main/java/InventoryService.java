package ${package};

import jakarta.jws.WebService;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** Keeps the stock of an inventory. Only the primary executes updates; the other replicas then receive the fields. */
@WebService(endpointInterface = "${package}.Inventory", targetNamespace = "urn:${artifactId}")
@FaultTolerant
@ReplicatedState
public class InventoryService implements Inventory {
  private final Map<String, Integer> stock = new TreeMap<>();

  @Override
  public int add(String item, int count) {
    return stock.merge(item, count, Integer::sum);
  }

  @Override
  @Read
  public int count(String item) {
    return stock.getOrDefault(item, 0);
  }
}
