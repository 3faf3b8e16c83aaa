package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.Uid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A record that the store itself would not write. */
public final class PlantedRecord {
  private PlantedRecord() {}

  /** @param store the directory of a coordinator or participant */
  public static void write(Path store, String type, Uid id, byte[] content) throws IOException {
    Path to = store.resolve(SerializationFreeStore.class.getSimpleName()).resolve("defaultStore").resolve(type.substring(1));
    Files.createDirectories(to);
    Files.write(to.resolve(id.fileStringForm()), StoredRecord.encode(content).array());
  }
}
