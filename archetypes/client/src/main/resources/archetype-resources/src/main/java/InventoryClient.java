package ${package};

import ${package}.contract.Inventory;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;

/** Adds to an inventory, exactly once even if a replica fails. Thread-safe. */
public final class InventoryClient implements AutoCloseable {
  private final FaultTolerantGroup group;
  private final Inventory inventory;

  /** Creates a client without connecting. One address of a running replica is enough; give those of all replicas. */
  public InventoryClient(List<URI> replicas) {
    group = FaultTolerant.group(FaultTolerance.ofDefaults(replicas));
    inventory = group.client(Inventory.class, InventoryClient.class.getResource("/wsdl/Inventory.wsdl"));
  }

  /** Adds pieces of an item, and returns how many there are now. */
  public int add(String item, int count) {
    return inventory.add(item, count);
  }

  @Override
  public void close() {
    group.close();
  }

  /** The arguments are an item, a count, and the addresses of the service. */
  public static void main(String[] arguments) {
    List<URI> replicas = Arrays.stream(arguments).skip(2).map(URI::create).toList();
    try (InventoryClient client = new InventoryClient(replicas)) {
      System.out.println(client.add(arguments[0], Integer.parseInt(arguments[1])));
    }
  }
}
