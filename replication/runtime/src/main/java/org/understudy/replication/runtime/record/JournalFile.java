package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.record.AppendedRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;

/**
 * The records of a kind that is appended, in a directory of segments. Each batch is written and synced as one.
 *
 * <p>A record has a head (length, number and their checksum), its bytes, and the checksum of those. A file that <em>ends</em> inside
 * its last record was never synced with it, so that nothing rests on the record: it is cut. Any other deviation is damage, which could
 * concern records that others rely on: then no record counts, and the files are kept beside.
 *
 * <p>Not thread-safe.
 */
final class JournalFile {
  static final int SEGMENT_BYTES = 16 << 20;
  private static final int MAGIC = 0x55534a31;
  private static final int HEAD_BYTES = 2 * Integer.BYTES + Long.BYTES;
  private static final int TAIL_BYTES = Integer.BYTES;
  private static final int MAX_RECORD_BYTES = 512 << 20;
  private static final String SUFFIX = ".log";
  private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);

  /** Writes and syncs; replaced in tests. */
  interface Disk {
    Disk REAL = new Disk() {};

    default void write(FileChannel file, ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }

    default void sync(FileChannel file) throws IOException {
      file.force(false);
    }
  }

  /** Why the journal cannot be read to its end; the message says where. */
  private static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String what) {
      super(what);
    }
  }

  private final Path directory;
  private final GroupIdentity group;
  private final RecordKind<?> kind;
  private final Disk disk;
  private final int segmentBytes;
  /** The segments by the number of their first record. */
  private final TreeMap<Long, Path> segments = new TreeMap<>();
  /** The last segment; null before the first record. */
  private FileChannel out;
  private long last;
  private boolean failed;

  JournalFile(Path directory, GroupIdentity group, RecordKind<?> kind) {
    this(directory, group, kind, Disk.REAL, SEGMENT_BYTES);
  }

  /** @param segmentBytes a segment that has as many is followed by another one */
  JournalFile(Path directory, GroupIdentity group, RecordKind<?> kind, Disk disk, int segmentBytes) {
    this.directory = directory;
    this.group = group;
    this.kind = kind;
    this.disk = disk;
    this.segmentBytes = segmentBytes;
  }

  // ------------------------------------------------------------------------------------------------ reading

  /**
   * The records, in their order, without those that a later one makes redundant; empty when there are none or the journal is damaged.
   *
   * @param ours whether other records have shown that the journal is this group's: then a file that names another group is damaged
   * @throws IOException when it cannot be read, belongs to another group, or was written by a newer version: the replica must not start
   */
  List<DurableRecord> load(boolean ours) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    list();
    List<DurableRecord> records = new ArrayList<>();
    try {
      for (Map.Entry<Long, Path> segment : List.copyOf(segments.entrySet())) {
        read(segment.getValue(), segment.getKey(), segment.getKey().equals(segments.lastKey()), ours, records);
      }
      checkBeginning(records);
    } catch (DamagedException e) {
      setAside(e);
      return List.of();
    }
    if (!segments.isEmpty()) {
      out = FileChannel.open(segments.lastEntry().getValue(), StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      LOG.info("Read the journal {}: {} records.", directory, records.size());
    }
    return records;
  }

  private void list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[0-9]{19}\\" + SUFFIX)) {
          segments.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
        }
      }
    } catch (NotDirectoryException e) {
      throw new IOException("The journal " + directory + " is not a directory.", e);
    }
  }

  private void read(Path file, long first, boolean newest, boolean ours, List<DurableRecord> records)
      throws IOException, DamagedException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
    ByteBuffer header = header();
    if (in.remaining() < header.remaining()) {
      if (!newest) {
        throw new DamagedException("Its file " + file.getFileName() + " is too short.");
      }
      // The crash came before the first record: nothing was synced.
      Files.delete(file);
      segments.remove(first);
      return;
    }
    checkHeader(file, in, header, ours);
    long next = first;
    if (last != 0 && next != last + 1) {
      throw new DamagedException("Records between " + last + " and " + next + " are missing.");
    }
    while (in.hasRemaining()) {
      int at = in.position();
      byte[] bytes = record(in, next, file);
      if (bytes == null) {
        if (!newest) {
          throw new DamagedException("Its file " + file.getFileName() + " ends within record " + next + ".");
        }
        truncate(file, at);
        break;
      }
      records.add(decode(bytes, next, file));
      last = next++;
    }
  }

  private void checkHeader(Path file, ByteBuffer in, ByteBuffer header, boolean ours) throws IOException, DamagedException {
    if (in.getInt(0) != MAGIC) {
      throw new DamagedException("Its file " + file.getFileName() + " does not begin like a journal.");
    }
    byte[] found = new byte[header.remaining()];
    in.get(found);
    if (!ByteBuffer.wrap(found).equals(header)) {
      if (ours) {
        throw new DamagedException(
            "Its file " + file.getFileName() + " does not name " + group + " of the strategy " + group.strategy()
                + ", to which the other records of this replica belong: its first bytes are damaged, or it was copied from elsewhere.");
      }
      throw new IOException(
          "The journal " + file + " belongs to another group than " + group + " of the strategy " + group.strategy()
              + ". Correct understudy.group, understudy.replicas, understudy.strategy or understudy.directory. Remove the journal only"
              + " if the whole group is to start anew without its state.");
    }
  }

  /** The bytes of the next record; null when the file ends within it. */
  private static byte[] record(ByteBuffer in, long number, Path file) throws DamagedException {
    int at = in.position();
    if (in.remaining() < HEAD_BYTES) {
      return null;
    }
    int length = in.getInt();
    long found = in.getLong();
    if (in.getInt() != checksum(in.array(), at, Integer.BYTES + Long.BYTES) || length < 0 || found != number) {
      throw new DamagedException("The head of record " + number + " in " + file.getFileName() + " at byte " + at + " is wrong.");
    }
    if (in.remaining() < (long) length + TAIL_BYTES) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    if (in.getInt() != checksum(bytes, 0, length)) {
      throw new DamagedException(
          "The checksum of record " + number + " in " + file.getFileName() + " at byte " + at + " is wrong.");
    }
    return bytes;
  }

  private DurableRecord decode(byte[] bytes, long number, Path file) throws IOException {
    try {
      return kind.decode(bytes);
    } catch (RuntimeException e) {
      throw new IOException(
          "Record " + number + " of the journal " + file + " cannot be read by this version of Understudy (" + e.getMessage()
              + "). Start this replica with the version that wrote it.",
          e);
    }
  }

  /** The records must begin with the first or with a checkpoint. */
  private static void checkBeginning(List<DurableRecord> records) throws DamagedException {
    if (records.isEmpty() || ((AppendedRecord) records.get(0)).number() == 1) {
      return;
    }
    long from = 0;
    for (DurableRecord record : records) {
      from = Math.max(from, ((AppendedRecord) record).redundantBelow());
    }
    long first = ((AppendedRecord) records.get(0)).number();
    if (from < first) {
      throw new DamagedException("Records before " + first + " are missing.");
    }
  }

  private void truncate(Path file, long length) throws IOException {
    LOG.info("The journal {} ends within a record that was never synced; it is cut at byte {}.", file, length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
      channel.force(true);
    }
  }

  private void setAside(DamagedException damage) throws IOException {
    Path aside = directory.resolveSibling(directory.getFileName() + ".damaged");
    if (Files.exists(aside)) {
      try (Stream<Path> files = Files.list(aside)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(aside);
    }
    Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory(directory.getParent());
    segments.clear();
    last = 0;
    LOG.error(
        "The journal {} is damaged. {} This replica may lack updates that it acknowledged, so it has no state until another replica "
            + "brings it up to date. The damaged files are in {}. Check the disk.",
        directory, damage.getMessage(), aside);
  }

  // ------------------------------------------------------------------------------------------------ writing

  /**
   * Appends records. Returns when all are durable.
   *
   * @throws IOException when they cannot be written or synced; what the file holds then is unknown, and no further record is accepted
   */
  void append(List<? extends DurableRecord> records) throws IOException {
    if (failed) {
      throw new IOException("an earlier record could not be stored");
    }
    failed = true;
    long redundant = 0;
    List<byte[]> encoded = new ArrayList<>(records.size());
    long size = 0;
    for (DurableRecord record : records) {
      byte[] bytes = record.encode();
      if (bytes.length > MAX_RECORD_BYTES) {
        throw new IOException("a record has " + bytes.length + " bytes");
      }
      encoded.add(bytes);
      size += HEAD_BYTES + bytes.length + TAIL_BYTES;
      redundant = Math.max(redundant, ((AppendedRecord) record).redundantBelow());
    }
    roll(((AppendedRecord) records.get(0)).number());
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, 1 << 20));
    for (int i = 0; i < encoded.size(); i++) {
      buffer = put(buffer, ((AppendedRecord) records.get(i)).number(), encoded.get(i));
    }
    disk.write(out, buffer.flip());
    disk.sync(out);
    dropBelow(redundant);
    failed = false;
  }

  private ByteBuffer put(ByteBuffer buffer, long number, byte[] bytes) throws IOException {
    if (number != last + 1) {
      throw new IOException("record " + number + " does not follow record " + last);
    }
    last = number;
    ByteBuffer room = buffer;
    int size = HEAD_BYTES + bytes.length + TAIL_BYTES;
    if (room.remaining() < size) {
      disk.write(out, room.flip());
      room = room.capacity() < size ? ByteBuffer.allocate(size) : room.clear();
    }
    int at = room.position();
    room.putInt(bytes.length).putLong(number);
    room.putInt(checksum(room.array(), at, Integer.BYTES + Long.BYTES));
    room.put(bytes).putInt(checksum(bytes, 0, bytes.length));
    return room;
  }

  /** Begins another segment when there is none, or the last one is large. */
  private void roll(long first) throws IOException {
    if (out != null && out.size() < segmentBytes) {
      return;
    }
    close();
    if (!Files.exists(directory)) {
      Files.createDirectories(directory);
      OwnerOnly.restrict(directory);
      syncDirectory(directory.getParent());
    }
    Path file = directory.resolve(String.format(Locale.ROOT, "%019d", first) + SUFFIX);
    out = DescriptorWait.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    OwnerOnly.restrict(file);
    disk.write(out, header());
    segments.put(first, file);
    syncDirectory(directory);
  }

  private void dropBelow(long number) throws IOException {
    while (segments.size() > 1) {
      Map.Entry<Long, Path> oldest = segments.firstEntry();
      if (segments.higherKey(oldest.getKey()) > number) {
        return;
      }
      Files.delete(oldest.getValue());
      segments.remove(oldest.getKey());
    }
  }

  private ByteBuffer header() {
    byte[] owner = (group.name() + "\n" + group.strategy() + "\n" + group.replicas()).getBytes(StandardCharsets.UTF_8);
    ByteBuffer header = ByteBuffer.allocate(2 * Integer.BYTES + owner.length);
    return header.putInt(MAGIC).putInt(owner.length).put(owner).flip();
  }

  private static void syncDirectory(Path path) throws IOException {
    try (FileChannel channel = DescriptorWait.open(path, Set.of(StandardOpenOption.READ))) {
      channel.force(true);
    }
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, length);
    return (int) checksum.getValue();
  }

  void close() throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
  }
}
