package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;

/**
 * The last record of one kind. A record is written beside the old one, synced, and renamed over it, so that there is always
 * a complete one. The file has a magic number, the group with its strategy, the record as its kind encodes it, and a checksum
 * of everything.
 */
final class RecordFile {
  /** The magic number of records without a group: written before version 0.2. */
  private static final int NAMELESS_MAGIC = 0x55534d31;
  /** The magic number of records without a strategy. */
  private static final int MAGIC = 0x55534d32;
  private static final int STRATEGY_MAGIC = 0x55534d33;
  /**
   * The strategy of records that name none: the only one that stored any when records did not name theirs. Its records still
   * do not, so that earlier versions read them.
   */
  private static final String UNNAMED_STRATEGY = "primary-backup";
  /** The last digit of the newest version that a magic number may ever name. */
  private static final int LAST_MAGIC = 0x55534d39;
  private static final long MAX_BYTES = 64L << 20;
  private static final Set<StandardOpenOption> WRITE_NEW =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);

  private final Path directory;
  private final GroupIdentity group;
  private final RecordKind<?> kind;
  private final Path file;
  /** The record in the file, as far as this process knows. */
  private DurableRecord last;

  RecordFile(Path directory, GroupIdentity group, RecordKind<?> kind) {
    this.directory = directory;
    this.group = group;
    this.kind = kind;
    this.file = directory.resolve(kind.name());
  }

  /** The record last stored; null when there never was one. */
  DurableRecord load() throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    byte[] bytes = Files.size(file) > MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
    if (isNewer(bytes)) {
      throw new IOException(
          "The " + kind.name() + " record " + file + " was written by a newer version of Understudy, which this one cannot"
              + " read. Start this replica with that version again; without its record it could break a promise.");
    }
    GroupIdentity owner;
    DurableRecord record;
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      owner = identity(in);
      record = record(in);
    } catch (RuntimeException e) {
      throw new IOException(
          "The " + kind.name() + " record " + file + " is damaged. If this replica's disk is lost, remove the file: the"
              + " replica then starts without a vote and is brought up to date.",
          e);
    }
    if (!owner.strategy().equals(group.strategy())) {
      throw new IOException(
          "The " + kind.name() + " record " + file + " was stored under the strategy " + owner.strategy()
              + ", but this replica is configured for the strategy " + group.strategy() + ". Set understudy.strategy to "
              + owner.strategy() + " again. Or, to start the whole group anew without its state, stop all replicas and remove"
              + " understudy.directory of each.");
    }
    if (!owner.hasMembersOf(group)) {
      throw new IOException(
          "The " + kind.name() + " record " + file + " belongs to " + owner + ", but this replica is configured for "
              + group + ". Correct understudy.group, understudy.replicas or understudy.directory. Remove the record only if"
              + " the whole group is to start anew without its state.");
    }
    last = record;
    return record;
  }

  private static boolean isNewer(byte[] bytes) {
    int magic = bytes.length < Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
    return magic > STRATEGY_MAGIC && magic <= LAST_MAGIC;
  }

  /** The group of the record; one that does not name it is taken for this replica's. */
  private GroupIdentity identity(ByteBuffer in) {
    int magic = in.getInt();
    if (magic == NAMELESS_MAGIC) {
      return new GroupIdentity(group.name(), UNNAMED_STRATEGY, group.replicas());
    }
    if (magic != MAGIC && magic != STRATEGY_MAGIC) {
      throw new IllegalArgumentException("no record");
    }
    String strategy = magic == STRATEGY_MAGIC ? text(in, in.get()) : UNNAMED_STRATEGY;
    String name = text(in, in.getShort());
    List<ReplicaId> replicas = new ArrayList<>();
    for (int count = in.get(); count > 0; count--) {
      replicas.add(new ReplicaId(in.get()));
    }
    return new GroupIdentity(name, strategy, replicas);
  }

  private static String text(ByteBuffer in, int length) {
    byte[] text = new byte[length];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private DurableRecord record(ByteBuffer in) {
    int end = in.limit() - Long.BYTES;
    if (checksum(in.array(), end) != in.getLong(end)) {
      throw new IllegalArgumentException("wrong checksum");
    }
    return kind.decode(Arrays.copyOfRange(in.array(), in.position(), end));
  }

  /** Returns when the record is durable. */
  void store(DurableRecord record) throws IOException {
    if (last != null && !record.supersedes(last)) {
      throw new IOException(
          "A record of the kind " + kind.name() + " does not supersede the one in " + file
              + ", and a file holds one record. Nothing was written.");
    }
    Path fresh = directory.resolve(kind.name() + ".new");
    try (FileChannel out = DescriptorWait.open(fresh, WRITE_NEW)) {
      OwnerOnly.restrict(fresh);
      JournalFile.Disk.REAL.write(out, encode(record));
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel parent = DescriptorWait.open(directory, Set.of(StandardOpenOption.READ))) {
      parent.force(true);
    }
    last = record;
  }

  private ByteBuffer encode(DurableRecord record) {
    byte[] name = group.name().getBytes(StandardCharsets.UTF_8);
    byte[] content = record.encode();
    byte[] strategy = group.strategy().getBytes(StandardCharsets.UTF_8);
    boolean unnamed = group.strategy().equals(UNNAMED_STRATEGY);
    int header =
        Integer.BYTES + Byte.BYTES + strategy.length + Short.BYTES + name.length + Byte.BYTES + group.replicas().size();
    ByteBuffer out = ByteBuffer.allocate(header + content.length + Long.BYTES);
    out.putInt(unnamed ? MAGIC : STRATEGY_MAGIC);
    if (!unnamed) {
      out.put((byte) strategy.length).put(strategy);
    }
    out.putShort((short) name.length).put(name).put((byte) group.replicas().size());
    group.replicas().forEach(replica -> out.put((byte) replica.number()));
    out.put(content);
    out.putLong(checksum(out.array(), out.position()));
    return out.flip();
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return checksum.getValue();
  }
}
