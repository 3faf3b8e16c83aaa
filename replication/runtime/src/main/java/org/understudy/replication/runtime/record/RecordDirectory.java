package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.record.Recovered;

/**
 * Keeps the records of one replica across crashes: the last record of each kind, in a file of its own, and records that are
 * appended in a journal. The directory is
 * locked: two replicas cannot share it. Only its owner may access it, because a changed record can make the replica break
 * its promises.
 */
public final class RecordDirectory implements AutoCloseable {
  private static final String OWNER = "replica";

  private final Path directory;
  private final FileChannel lockChannel;
  private final Map<String, RecordFile> files = new TreeMap<>();
  private final Map<String, JournalFile> journals = new TreeMap<>();

  private RecordDirectory(Path directory, FileChannel lockChannel, GroupIdentity group, Set<RecordKind<?>> kinds) {
    this.directory = directory;
    this.lockChannel = lockChannel;
    for (RecordKind<?> kind : kinds) {
      if (kind.isAppended()) {
        journals.put(kind.name(), new JournalFile(directory.resolve(kind.name()), group, kind));
      } else {
        files.put(kind.name(), new RecordFile(directory, group, kind));
      }
    }
  }

  /**
   * Creates the directory if needed, and locks it until {@link #close}.
   *
   * @param group the configured group; a record of another one is not loaded
   * @param kinds the kinds of records to keep; others are refused
   * @throws IOException when it cannot be written, or another replica has locked it
   */
  public static RecordDirectory open(Path directory, GroupIdentity group, Set<RecordKind<?>> kinds) throws IOException {
    try {
      Files.createDirectories(directory);
      OwnerOnly.restrict(directory);
    } catch (IOException e) {
      throw new IOException(
          "The directory " + directory + " cannot be made or protected: " + reason(directory, e)
              + " Correct the directory (understudy.directory), or the rights of this process there.", e);
    }
    FileChannel channel = lock(directory);
    for (RecordKind<?> kind : kinds) {
      OwnerOnly.restrict(directory.resolve(kind.name()));
    }
    return new RecordDirectory(directory, channel, group, kinds);
  }

  private static String reason(Path directory, IOException e) {
    for (Path at = directory.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at) && !Files.isDirectory(at)) {
        return at + " is a file.";
      }
    }
    return e instanceof AccessDeniedException denied ? denied.getFile() + " does not permit it." : e + ".";
  }

  /** Locks the directory until the channel is closed. */
  static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another replica of this process has it; reported below.
    }
    if (lock == null) {
      channel.close();
      throw new IOException(
          "The directory " + directory + " belongs to a running replica; give each replica its own.");
    }
    OwnerOnly.restrict(directory.resolve("lock"));
    return channel;
  }

  /** The number of the replica that has {@linkplain #claim claimed} the directory; empty if none has. */
  static String owner(Path directory) throws IOException {
    Path file = directory.resolve(OWNER);
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  /**
   * Records that the directory is this replica's, in the file {@code replica}. Call it before {@link #load}. A replica that began with the
   * directory of another one, for example on a copy of its disk, would not know its own promises, and could break them.
   *
   * @throws IOException when it is another replica's, or cannot be written
   */
  public void claim(ReplicaId self) throws IOException {
    Path file = directory.resolve(OWNER);
    String owner = owner(directory);
    String own = Integer.toString(self.number());
    if (owner.isEmpty()) {
      Path fresh = directory.resolve(OWNER + ".new");
      Files.writeString(fresh, own + "\n", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      OwnerOnly.restrict(fresh);
      // Not synced in the directory: a crash that loses the name is like a directory of an earlier version.
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } else if (!owner.equals(own)) {
      throw new IOException(
          "The directory " + directory + " belongs to replica " + owner + ", and this is replica " + own + ". Correct"
              + " understudy.directory or understudy.replica. If this replica's own directory is lost, empty this one: the replica then"
              + " starts without a vote and is brought up to date.");
    }
  }

  /**
   * The records last stored; {@link Recovered#NOTHING} if there are none.
   *
   * @throws IOException when a file holds no valid record (a promise may be lost), or belongs to another group or list of
   *     replicas (its promises mean nothing here): the replica must not start
   */
  public Recovered load() throws IOException {
    Recovered recovered = Recovered.NOTHING;
    for (RecordFile file : files.values()) {
      DurableRecord record = file.load();
      recovered = record == null ? recovered : recovered.with(record);
    }
    boolean first = recovered.isEmpty();
    for (JournalFile journal : journals.values()) {
      List<DurableRecord> records = journal.load(!first);
      if (first && !records.isEmpty()) {
        throw new IOException(
            "The directory " + directory + " has a journal, but no " + String.join(" or ", files.keySet()) + " record: files are"
                + " missing. Restore them. Or, if they are lost, remove the directory: the replica then starts without a vote and is"
                + " brought up to date.");
      }
      recovered = recovered.with(records);
    }
    return recovered;
  }

  /**
   * Stores records in their order. Returns when all are durable.
   *
   * @throws IOException when one cannot be written, has an undeclared kind, or does not supersede the stored one of its
   *     kind, because a file holds one record
   */
  public void store(List<? extends DurableRecord> records) throws IOException {
    for (int at = 0; at < records.size(); at++) {
      DurableRecord record = records.get(at);
      JournalFile journal = journals.get(record.kind().name());
      if (journal != null) {
        int end = at + 1;
        while (end < records.size() && records.get(end).kind().equals(record.kind())) {
          end++;
        }
        journal.append(records.subList(at, end));
        at = end - 1;
        continue;
      }
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
    for (JournalFile journal : journals.values()) {
      journal.close();
    }
    lockChannel.close();
  }
}
