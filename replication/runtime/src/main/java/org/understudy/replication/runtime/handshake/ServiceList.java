package org.understudy.replication.runtime.handshake;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The encoding of the services in a description. A list whose classes do not fit is encoded without them, so the classes of a peer may
 * be missing.
 */
final class ServiceList {
  /** The maximum size of an encoded list; the rest of a description is smaller. */
  static final int MAX_BYTES = 40_000;

  private ServiceList() {}

  /** Whether the services can be encoded at all. */
  static boolean fits(List<ServedService> services) {
    return bytes(services.stream().map(ServedService::withoutClasses).toList()).length <= MAX_BYTES;
  }

  static byte[] encode(List<ServedService> services) {
    byte[] all = bytes(services);
    return all.length <= MAX_BYTES ? all : bytes(services.stream().map(ServedService::withoutClasses).toList());
  }

  private static byte[] bytes(List<ServedService> services) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeShort(services.size());
      for (ServedService service : services) {
        write(out, service);
      }
    } catch (IOException e) {
      // A text of more than 65,535 bytes.
      return new byte[MAX_BYTES + 1];
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, ServedService service) throws IOException {
    out.writeUTF(service.path());
    out.writeByte(service.settings().size());
    for (Map.Entry<String, String> setting : service.settings().entrySet()) {
      out.writeUTF(setting.getKey());
      out.writeUTF(setting.getValue());
    }
    out.writeUTF(service.shape());
    out.writeShort(service.classes().size());
    for (Map.Entry<String, List<String>> one : service.classes().entrySet()) {
      out.writeUTF(one.getKey());
      out.writeShort(one.getValue().size());
      for (String member : one.getValue()) {
        out.writeUTF(member);
      }
    }
  }

  /** @throws IOException when the bytes are not from {@link #encode} */
  static List<ServedService> decode(DataInputStream in) throws IOException {
    List<ServedService> services = new ArrayList<>();
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      String path = in.readUTF();
      TreeMap<String, String> settings = new TreeMap<>();
      for (int more = in.readUnsignedByte(); more > 0; more--) {
        settings.put(in.readUTF(), in.readUTF());
      }
      String shape = in.readUTF();
      TreeMap<String, List<String>> classes = new TreeMap<>();
      for (int more = in.readUnsignedShort(); more > 0; more--) {
        classes.put(in.readUTF(), texts(in));
      }
      services.add(new ServedService(path, settings, shape, classes));
    }
    return services;
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      texts.add(in.readUTF());
    }
    return texts;
  }
}
