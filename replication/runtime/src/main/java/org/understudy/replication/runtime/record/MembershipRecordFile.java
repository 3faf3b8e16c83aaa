package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.MembershipRecord;

/**
 * Keeps one replica's {@link MembershipRecord} over crashes. A record is written beside the old one, synced, and renamed
 * over it, so that there is always a whole one. The directory is locked: two replicas cannot share it. It and its files are
 * for their owner alone: whoever changes the record can make the replica break its promises.
 */
public final class MembershipRecordFile implements AutoCloseable {
  /** Of records that do not name their group: written before version 0.2. */
  private static final int NAMELESS_MAGIC = 0x55534d31;
  private static final int MAGIC = 0x55534d32;
  /** The last digit of the newest version that {@link #MAGIC} may ever name. */
  private static final int LAST_MAGIC = 0x55534d39;
  private static final int MAX_BYTES = 4_096;
  private static final Set<StandardOpenOption> WRITE_NEW =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);

  private final Path directory;
  private final GroupIdentity group;
  private final Path file;
  private final FileChannel lockChannel;

  private MembershipRecordFile(Path directory, GroupIdentity group, FileChannel lockChannel) {
    this.directory = directory;
    this.group = group;
    this.file = directory.resolve("membership");
    this.lockChannel = lockChannel;
  }

  /**
   * Makes the directory if need be, and locks it until {@link #close}.
   *
   * @param group the configured group; a record of another one is not loaded
   * @throws IOException when it cannot be written, or another replica has it
   */
  public static MembershipRecordFile open(Path directory, GroupIdentity group) throws IOException {
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
    OwnerOnly.restrict(directory.resolve("membership"));
    return new MembershipRecordFile(directory, group, channel);
  }

  /**
   * The record last stored, or {@link MembershipRecord#FIRST_START} when there never was one.
   *
   * @throws IOException when the file is there and is no record (a promise may be lost), or belongs to another group or
   *     another list of replicas (its promises mean nothing here): the replica must not start
   */
  public MembershipRecord load() throws IOException {
    if (!Files.exists(file)) {
      return MembershipRecord.FIRST_START;
    }
    byte[] bytes = Files.size(file) > MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
    if (isNewer(bytes)) {
      throw new IOException(
          "The membership record " + file + " was written by a newer version of Understudy, which this one cannot read. Start"
              + " this replica with that version again; without its record it could break a promise.");
    }
    GroupIdentity owner;
    MembershipRecord record;
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      owner = identity(in);
      record = decode(in);
    } catch (RuntimeException e) {
      throw new IOException(
          "The membership record " + file + " is damaged. If this replica's disk is lost, remove the file: the"
              + " replica then starts without a vote and is brought up to date.",
          e);
    }
    if (owner != null && !owner.equals(group)) {
      throw new IOException(
          "The membership record " + file + " belongs to " + owner + ", but this replica is configured for " + group
              + ". Correct understudy.group, understudy.replicas or understudy.directory. Remove the record only if the"
              + " whole group is to start anew without its state.");
    }
    return record;
  }

  private static boolean isNewer(byte[] bytes) {
    int magic = bytes.length < Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
    return magic > MAGIC && magic <= LAST_MAGIC;
  }

  /** Returns when the record is safe. */
  public void store(MembershipRecord record) throws IOException {
    Path fresh = directory.resolve("membership.new");
    try (FileChannel out = FileChannel.open(fresh, WRITE_NEW)) {
      OwnerOnly.restrict(fresh);
      ByteBuffer bytes = encode(record);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel parent = FileChannel.open(directory, StandardOpenOption.READ)) {
      parent.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    lockChannel.close();
  }

  private ByteBuffer encode(MembershipRecord record) {
    byte[] name = group.name().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(512 + name.length);
    out.putInt(MAGIC).putShort((short) name.length).put(name).put((byte) group.replicas().size());
    group.replicas().forEach(replica -> out.put((byte) replica.number()));
    out.putLong(record.promisedEpoch());
    out.put((byte) (record.promisedTo() == null ? 0 : record.promisedTo().number()));
    out.put((byte) (record.admitted() ? 1 : 0));
    encode(out, record.accepted());
    encode(out, record.base());
    out.putLong(checksum(out.array(), out.position()));
    return out.flip();
  }

  private static void encode(ByteBuffer out, View view) {
    out.putLong(view.epoch()).put((byte) view.members().size());
    view.members().forEach(member -> out.put((byte) member.number()));
  }

  /** Null where the record does not name its group. */
  private static GroupIdentity identity(ByteBuffer in) {
    int magic = in.getInt();
    if (magic == NAMELESS_MAGIC) {
      return null;
    }
    if (magic != MAGIC) {
      throw new IllegalArgumentException("no membership record");
    }
    byte[] name = new byte[in.getShort()];
    in.get(name);
    return new GroupIdentity(new String(name, StandardCharsets.UTF_8), replicas(in));
  }

  private static MembershipRecord decode(ByteBuffer in) {
    long promised = in.getLong();
    int to = in.get();
    boolean admitted = in.get() == 1;
    View accepted = view(in);
    View base = view(in);
    if (checksum(in.array(), in.position()) != in.getLong()) {
      throw new IllegalArgumentException("wrong checksum");
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("more than a record");
    }
    return new MembershipRecord(promised, to == 0 ? null : new ReplicaId(to), accepted, base, admitted);
  }

  private static View view(ByteBuffer in) {
    return new View(in.getLong(), replicas(in));
  }

  private static List<ReplicaId> replicas(ByteBuffer in) {
    int count = in.get();
    List<ReplicaId> replicas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replicas.add(new ReplicaId(in.get()));
    }
    return replicas;
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return checksum.getValue();
  }
}
