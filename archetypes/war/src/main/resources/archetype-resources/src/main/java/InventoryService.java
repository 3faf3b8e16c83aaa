package ${package};

import jakarta.jws.WebService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.StateCapture;

/** Only the primary executes it. The other replicas receive what captureState returns. */
@WebService(endpointInterface = "${package}.Inventory", targetNamespace = "urn:${artifactId}")
public class InventoryService implements Inventory, StateCapture {
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

  @Override
  public byte[] captureState() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(stock.size());
      for (Map.Entry<String, Integer> entry : stock.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeInt(entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void restoreState(byte[] state) {
    stock.clear();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(state))) {
      for (int left = in.readInt(); left > 0; left--) {
        stock.put(in.readUTF(), in.readInt());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
