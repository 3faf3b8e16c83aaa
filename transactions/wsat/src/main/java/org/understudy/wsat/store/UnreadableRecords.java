package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.Uid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The records in a store that cannot be used, until an operator has restored or removed their files. Thread-safe. */
final class UnreadableRecords {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableRecords.class);

  private final Function<byte[], String> fault;
  private final Map<Uid, Path> files = new ConcurrentHashMap<>();

  /** @param fault what is wrong with the bytes of a file; null for nothing */
  UnreadableRecords(Function<byte[], String> fault) {
    this.fault = fault;
  }

  /** Reports and keeps a record that cannot be used. Returns whether it can. */
  boolean check(Uid id, Path file) {
    String found = faultOf(file);
    if (found != null && files.put(id, file) == null) {
      LOG.error(
          "The record {} of WS-AtomicTransaction {}. It is not read, and its transaction stays in doubt; other transactions are recovered. "
              + "Restore the file from a backup. Or end the transaction at its participants, then remove the file: what is still in doubt "
              + "aborts.", file, found);
    }
    return found == null;
  }

  private String faultOf(Path file) {
    try {
      return fault.apply(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      return "cannot be read (" + e + ")";
    }
  }

  /** Whether the record is still as it was found. */
  boolean contains(Uid id) {
    Path file = files.get(id);
    if (file != null && faultOf(file) == null) {
      files.remove(id);
      return false;
    }
    return file != null;
  }

  /** Whether there is such a record in a directory. */
  boolean isAnyIn(Path directory) {
    return files.entrySet().stream().anyMatch(record -> record.getValue().startsWith(directory) && contains(record.getKey()));
  }
}
