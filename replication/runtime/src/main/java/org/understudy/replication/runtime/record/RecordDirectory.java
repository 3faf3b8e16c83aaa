package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.replication.core.DurableRecord;
import org.understudy.replication.core.RecordKind;
import org.understudy.replication.core.Recovered;

/**
 * Keeps the records of one replica over crashes: of each kind the last one, in a file of its own. The directory is locked:
 * two replicas cannot share it. It and its files are for their owner alone: whoever changes a record can make the replica
 * break its promises.
 */
public final class RecordDirectory implements AutoCloseable {
  private final Path directory;
  private final FileChannel lockChannel;
  private final Map<String, RecordFile> files = new TreeMap<>();

  private RecordDirectory(Path directory, FileChannel lockChannel, GroupIdentity group, Set<RecordKind<?>> kinds) {
    this.directory = directory;
    this.lockChannel = lockChannel;
    for (RecordKind<?> kind : kinds) {
      files.put(kind.name(), new RecordFile(directory, group, kind));
    }
  }

  /**
   * Makes the directory if need be, and locks it until {@link #close}.
   *
   * @param group the configured group; a record of another one is not loaded
   * @param kinds the records to keep; others are refused
   * @throws IOException when it cannot be written, or another replica has it
   */
  public static RecordDirectory open(Path directory, GroupIdentity group, Set<RecordKind<?>> kinds) throws IOException {
    try {
      Files.createDirectories(directory);
      OwnerOnly.restrict(directory);
    } catch (IOException e) {
      throw new IOException("The directory " + directory + " cannot be made: " + e.getMessage(), e);
    }
    FileChannel channel =
        FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another replica of this very process has it: said below.
    }
    if (lock == null) {
      channel.close();
      throw new IOException(
          "The directory " + directory + " belongs to a running replica; give each replica its own.");
    }
    OwnerOnly.restrict(directory.resolve("lock"));
    for (RecordKind<?> kind : kinds) {
      OwnerOnly.restrict(directory.resolve(kind.name()));
    }
    return new RecordDirectory(directory, channel, group, kinds);
  }

  /**
   * The records last stored; {@link Recovered#NOTHING} when there never were any.
   *
   * @throws IOException when a file is there and holds no record (a promise may be lost), or belongs to another group or
   *     another list of replicas (its promises mean nothing here): the replica must not start
   */
  public Recovered load() throws IOException {
    Recovered recovered = Recovered.NOTHING;
    for (RecordFile file : files.values()) {
      DurableRecord record = file.load();
      recovered = record == null ? recovered : recovered.with(record);
    }
    return recovered;
  }

  /**
   * Stores records in their order. Returns when all are safe.
   *
   * @throws IOException when one cannot be written, is of no kind that is kept here, or does not supersede the one that is
   *     kept of its kind: a file holds one record
   */
  public void store(List<? extends DurableRecord> records) throws IOException {
    for (DurableRecord record : records) {
      RecordFile file = files.get(record.kind().name());
      if (file == null) {
        throw new IOException(
            "The directory " + directory + " keeps no records of the kind " + record.kind().name()
                + ", for the strategy does not declare it.");
      }
      file.store(record);
    }
  }

  @Override
  public void close() throws IOException {
    lockChannel.close();
  }
}
