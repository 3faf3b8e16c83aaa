package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.journal.JournalRecord;
import org.understudy.replication.core.record.DurableRecord;

/** What a loss of power leaves at the end of a journal is cut; what was synced and is wrong is damage. */
class JournalTailTest {
  private static final GroupIdentity GROUP =
      new GroupIdentity("shop", "primary-backup", List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3)));
  private static final int ONE_SEGMENT = JournalFile.SEGMENT_BYTES;
  private static final int SEGMENT_EACH = 1;

  @TempDir Path parent;
  private final Random random = new Random(4711);
  /** The last segment after three batches of one record each, and its length then. */
  private Path newest;
  private long synced;

  private Path directory() {
    return parent.resolve("journal");
  }

  private static JournalRecord.Entered entered(long number) {
    return new JournalRecord.Entered(number, 7, 100 + number, 3);
  }

  private static List<JournalRecord.Entered> batch(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(JournalTailTest::entered).toList();
  }

  private JournalFile journal(JournalFile.Disk disk, int segmentBytes) {
    return new JournalFile(directory(), GROUP, JournalRecord.KIND, disk, segmentBytes);
  }

  private void append(int segmentBytes, List<JournalRecord.Entered> batch) throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, segmentBytes);
    journal.load(true);
    journal.append(batch);
    journal.close();
  }

  @BeforeEach
  void threeBatches() throws IOException {
    for (int number = 1; number <= 3; number++) {
      append(ONE_SEGMENT, batch(number, number));
    }
    newest = files().get(0);
    synced = Files.size(newest);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.sorted().toList();
    }
  }

  private List<DurableRecord> load() throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, ONE_SEGMENT);
    List<DurableRecord> records = journal.load(true);
    journal.close();
    return records;
  }

  private void write(long at, byte[] bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
      file.seek(at);
      file.write(bytes);
    }
  }

  private byte[] garbage(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The journal has these records, and accepts the next one behind them. */
  private void assertContinues(long last, String what) throws IOException {
    assertEquals(batch(1, last), load(), what);
    append(ONE_SEGMENT, batch(last + 1, last + 1));
    assertEquals(batch(1, last + 1), load(), what);
  }

  private void assertRefused(String expected) throws IOException {
    List<byte[]> before = contents();
    String sentence = assertThrows(IOException.class, this::load).getMessage();
    assertTrue(sentence.contains(expected), sentence);
    assertTrue(sentence.contains("scripts/recover --journal " + parent), sentence);
    List<byte[]> after = contents();
    assertEquals(before.size(), after.size());
    for (int i = 0; i < before.size(); i++) {
      assertArrayEquals(before.get(i), after.get(i));
    }
  }

  private List<byte[]> contents() throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (Path file : files()) {
      contents.add(Files.readAllBytes(file));
    }
    return contents;
  }

  @Test
  void zerosBehindTheLastSyncedRecordAreCut() throws IOException {
    byte[] whole = Files.readAllBytes(newest);
    for (int zeros : new int[] {1, 3, 4, 12, 23, 24, 25, 28, 511, 512, 4_096, 65_535, 65_536, 65_537, 300_000}) {
      Files.write(newest, Arrays.copyOf(whole, whole.length + zeros));
      assertContinues(3, zeros + " zeros");
    }
  }

  @Test
  void fileThatIsAnnouncedFarLongerIsCutWithoutBeingHeldInMemory() throws IOException {
    long announced = Runtime.getRuntime().maxMemory() / 16 + (1L << 27);
    try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
      file.setLength(announced);
    }
    assertEquals(batch(1, 3), load());
    assertEquals(synced, Files.size(newest));
  }

  @Test
  void garbageBehindTheLastSyncedRecordIsCut() throws IOException {
    byte[] whole = Files.readAllBytes(newest);
    for (int zeros : new int[] {0, 1, 512, 70_000}) {
      Files.write(newest, Arrays.copyOf(whole, whole.length + zeros));
      write(whole.length + zeros, garbage(5_000));
      assertContinues(3, "garbage after " + zeros + " zeros");
    }
  }

  /** A file system may show blocks that an earlier file had. */
  @Test
  void olderRecordsBehindTheLastSyncedOneAreCut() throws IOException {
    byte[] whole = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(whole, whole.length + 1_000));
    Files.write(newest, whole, StandardOpenOption.APPEND);
    assertContinues(3, "older records");
  }

  @Test
  void batchOfWhichAnyPartIsMissingIsCut() throws IOException {
    byte[] before = Files.readAllBytes(newest);
    JournalFile journal = journal(lostAtSync(), ONE_SEGMENT);
    journal.load(true);
    assertThrows(IOException.class, () -> journal.append(batch(4, 40)));
    journal.close();
    byte[] unsynced = Files.readAllBytes(newest);
    for (int zero = before.length; zero < unsynced.length; zero += 64) {
      byte[] torn = unsynced.clone();
      Arrays.fill(torn, zero, Math.min(torn.length, zero + 64), (byte) 0);
      Files.write(newest, torn);
      List<DurableRecord> records = load();
      assertTrue(records.size() >= 3 && records.size() < 40, records.size() + " records, zeros at " + zero);
      assertEquals(batch(1, records.size()), records, "zeros at " + zero);
    }
  }

  private static JournalFile.Disk lostAtSync() {
    int[] syncs = {0};
    return new JournalFile.Disk() {
      @Override
      public void sync(FileChannel file) throws IOException {
        // The first one is that of what was read.
        if (syncs[0]++ > 0) {
          throw new IOException("the power fails");
        }
      }
    };
  }

  @Test
  void zeroedSectorInASyncedBatchIsDamage() throws IOException {
    append(ONE_SEGMENT, batch(4, 40));
    append(ONE_SEGMENT, batch(41, 41));
    write(synced + 512, new byte[512]);
    assertRefused("is wrong, and what follows it was written after record 40 had been synced");
  }

  /** The mark behind a batch is written when that is synced, and nothing waits for it. */
  @Test
  void damageInTheLastBatchIsFoundWhenItsMarkIsOnDisk() throws IOException {
    append(ONE_SEGMENT, batch(4, 40));
    write(synced + 512, new byte[100]);
    assertRefused("is wrong, and what follows it was written after record 40 had been synced");
  }

  @Test
  void newestSegmentWithoutAWholeHeaderIsRemoved() throws IOException {
    append(SEGMENT_EACH, batch(4, 4));
    Path second = files().get(1);
    byte[] whole = Files.readAllBytes(second);
    int header = whole.length - (int) (synced - headerBytes()) / 3;
    for (int length = 0; length <= header; length++) {
      for (byte[] begun : List.of(Arrays.copyOf(whole, length), new byte[length], Arrays.copyOf(new byte[length], 5_000))) {
        Files.write(second, begun);
        assertEquals(batch(1, 3), load(), "a header of " + length + " bytes");
        assertFalse(Files.exists(second), "a header of " + length + " bytes");
      }
    }
    assertContinues(3, "without the second segment");
  }

  private int headerBytes() {
    return JournalForm.header(GROUP).remaining();
  }

  @Test
  void damageBeforeANewerSegmentIsDamageAlsoIfThatHoldsNothing() throws IOException {
    append(SEGMENT_EACH, batch(4, 4));
    Files.write(files().get(1), new byte[0]);
    write(synced - 40, new byte[20]);
    assertRefused("is wrong, and 0000000000000000004.log was begun after it had been synced");
  }

  @Test
  void olderSegmentThatEndsEarlyIsDamage() throws IOException {
    append(SEGMENT_EACH, batch(4, 4));
    try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
      file.setLength(synced - 40);
    }
    assertRefused("0000000000000000004.log");
  }

  @Test
  void wrongHeaderOfASegmentWithSyncedRecordsIsDamage() throws IOException {
    append(SEGMENT_EACH, batch(4, 4));
    append(ONE_SEGMENT, batch(5, 5));
    newest = files().get(1);
    write(0, new byte[20]);
    assertRefused("does not begin like a journal");
  }

  /** Only a synced checkpoint lets older segments go. */
  @Test
  void journalThatWasCutBelowItsCheckpointIsDamaged() throws IOException {
    Files.move(newest, newest.resolveSibling("0000000000000000120.log"));
    newest = files().get(0);
    write(0, new byte[(int) synced]);
    assertRefused("Records before 120 are missing");
  }

  /** A process that was killed may have written what it had not synced yet, and its successor reports that as durable. */
  @Test
  void whatIsReadIsSyncedBeforeItCounts() throws IOException {
    List<Path> before = files();
    int[] syncs = {0};
    JournalFile journal = journal(new JournalFile.Disk() {
      @Override
      public void sync(FileChannel file) throws IOException {
        syncs[0]++;
        JournalFile.Disk.super.sync(file);
      }
    }, ONE_SEGMENT);
    assertEquals(batch(1, 3), journal.load(true));
    journal.close();
    assertEquals(1, syncs[0]);
    assertEquals(before, files());
  }
}
