package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.record.AppendedRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.runtime.codec.Slice;

/**
 * The records of a kind that is appended, in a directory of segments ({@link JournalForm}). Each batch is written and synced as one, and
 * followed by a mark, for which nothing waits. Each record names the last one that was synced when it was written.
 *
 * <p>A tail that was never synced is cut. A damaged journal is not opened, see {@link JournalContents}, {@link JournalRecovery}.
 *
 * <p>Not thread-safe.
 */
final class JournalFile {
  static final int SEGMENT_BYTES = 16 << 20;
  private static final int MAX_BUFFER_BYTES = 1 << 20;
  private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);

  /** Writes and syncs; replaced in tests. */
  interface Disk {
    Disk REAL = new Disk() {};

    default void write(FileChannel file, ByteBuffer bytes) throws IOException {
      int end = bytes.limit();
      while (bytes.position() < end) {
        // The JDK copies what it gets at once into a direct buffer, and keeps that.
        file.write(bytes.limit(Math.min(end, bytes.position() + Slice.BYTES)));
      }
    }

    default void sync(FileChannel file) throws IOException {
      file.force(false);
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

  /**
   * The records, in their order, without those that a later one makes redundant; empty when there are none. All are durable.
   *
   * @param ours whether other records have shown that the journal is this group's: then a file that names another group is damaged
   * @throws IOException when it cannot be read, is damaged, belongs to another group, or was written by a newer version: the replica
   *     must not start
   */
  List<DurableRecord> load(boolean ours) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    JournalContents contents = JournalContents.read(directory, kind);
    checkOwner(contents, ours);
    if (contents.damage() != null) {
      throw damaged(contents.damage());
    }
    segments.putAll(contents.segments());
    List<DurableRecord> records = contents.runs().isEmpty() ? List.of() : contents.runs().get(0);
    last = records.isEmpty() ? 0 : ((AppendedRecord) records.get(records.size() - 1)).number();
    if (records.isEmpty() && contents.tail() != null) {
      setAside(contents.tail());
      return records;
    }
    if (contents.tail() != null) {
      cut(contents.tail());
    }
    if (!segments.isEmpty() && segments.lastKey() > last) {
      // It has no record, and its name is that of the next segment.
      Files.delete(segments.pollLastEntry().getValue());
      syncDirectory(directory);
    }
    if (!segments.isEmpty()) {
      open();
      LOG.info("Read the journal {}: {} records.", directory, records.size());
    }
    return records;
  }

  private void checkOwner(JournalContents contents, boolean ours) throws IOException {
    for (Map.Entry<Path, GroupIdentity> owner : contents.owners().entrySet()) {
      if (owner.getValue().equals(group)) {
        continue;
      }
      Path file = owner.getKey();
      if (ours) {
        throw damaged(
            "Its file " + file.getFileName() + " does not name " + group + " of the strategy " + group.strategy()
                + ", to which the other records of this replica belong: its first bytes are damaged, or it was copied from elsewhere.");
      }
      throw new IOException(
          "The journal " + file + " belongs to another group than " + group + " of the strategy " + group.strategy()
              + ". Correct understudy.group, understudy.replicas, understudy.strategy or understudy.directory. Remove the journal only"
              + " if the whole group is to start anew without its state.");
    }
  }

  private IOException damaged(String what) {
    return new IOException(
        "The journal " + directory + " is damaged. " + what + " The replica does not start, because it may lack updates that it"
            + " acknowledged. Check the disk. \"scripts/recover --journal " + directory.getParent() + "\" shows what is readable. It sets"
            + " the journal aside, if another replica is to bring this one up to date, or keeps the readable part.");
  }

  /** A journal without any readable record may be all that is left of a state, so it is kept. */
  private void setAside(JournalContents.Tail tail) throws IOException {
    segments.clear();
    Path aside = JournalRecovery.setAside(directory);
    syncDirectory(directory.getParent());
    LOG.warn(
        "The journal {} has no readable record: {}, and nothing shows that it was synced, so the machine stopped while it was being"
            + " written. It is in {} now, and another replica brings this one up to date.",
        directory, tail.why(), aside);
  }

  private void cut(JournalContents.Tail tail) throws IOException {
    LOG.warn(
        "The journal {} is cut behind record {}: the last {} bytes of {} do not count. {}, and nothing shows that it was synced, so the"
            + " machine stopped while it was being written. If other replicas have more, they bring this one up to date.",
        directory, last, tail.bytes(), tail.file().getFileName(), tail.why());
    try (FileChannel channel = FileChannel.open(tail.file(), StandardOpenOption.WRITE)) {
      channel.truncate(tail.at());
      channel.force(true);
    }
  }

  /** What is in the newest segment need not be on disk: the process may have been killed before it synced it. */
  private void open() throws IOException {
    Path newest = segments.lastEntry().getValue();
    out = FileChannel.open(newest, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    disk.sync(out);
    try (SegmentReader in = new SegmentReader(newest)) {
      if (in.form() != JournalForm.CURRENT) {
        // The next record begins another segment.
        close();
      }
    }
  }

  /** An empty journal begins with the record of this number. */
  void beginAt(long number) {
    last = number - 1;
  }

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
      if (bytes.length > JournalForm.MAX_RECORD_BYTES) {
        throw new IOException("a record has " + bytes.length + " bytes");
      }
      encoded.add(bytes);
      size += size(bytes);
      redundant = Math.max(redundant, ((AppendedRecord) record).redundantBelow());
    }
    roll(((AppendedRecord) records.get(0)).number());
    long synced = last;
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, MAX_BUFFER_BYTES));
    for (int i = 0; i < encoded.size(); i++) {
      buffer = put(buffer, ((AppendedRecord) records.get(i)).number(), synced, encoded.get(i));
    }
    disk.write(out, buffer.flip());
    disk.sync(out);
    disk.write(out, JournalForm.mark(last));
    dropBelow(redundant);
    failed = false;
  }

  private static int size(byte[] bytes) {
    return JournalForm.HEAD_BYTES + bytes.length + JournalForm.CHECKSUM_BYTES;
  }

  private ByteBuffer put(ByteBuffer buffer, long number, long synced, byte[] bytes) throws IOException {
    if (number != last + 1) {
      throw new IOException("record " + number + " does not follow record " + last);
    }
    last = number;
    ByteBuffer room = buffer;
    int size = size(bytes);
    if (room.remaining() < size) {
      disk.write(out, room.flip());
      room = room.capacity() < size ? ByteBuffer.allocate(size) : room.clear();
    }
    JournalForm.putHead(room, bytes.length, number, synced);
    room.put(bytes).putInt(JournalForm.checksum(bytes, 0, bytes.length));
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
    Path file = JournalContents.segment(directory, first);
    out = DescriptorWait.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    OwnerOnly.restrict(file);
    disk.write(out, JournalForm.header(group));
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

  static void syncDirectory(Path path) throws IOException {
    try (FileChannel channel = DescriptorWait.open(path, Set.of(StandardOpenOption.READ))) {
      channel.force(true);
    }
  }

  void close() throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
  }
}
