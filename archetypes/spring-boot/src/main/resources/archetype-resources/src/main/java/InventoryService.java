package ${package};

import jakarta.jws.WebService;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** Only the primary executes it. After each update, the other replicas receive the fields. */
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
