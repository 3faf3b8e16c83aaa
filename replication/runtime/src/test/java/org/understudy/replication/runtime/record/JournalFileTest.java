package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.journal.JournalRecord;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.store.Item;
import org.understudy.test.DirectMemory;

/** What a journal's files hold after a restart: all that was synced, or the replica does not start. */
class JournalFileTest {
  private static final GroupIdentity GROUP =
      new GroupIdentity("shop", "primary-backup", List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3)));

  @TempDir Path parent;

  private Path directory() {
    return parent.resolve("journal");
  }

  private JournalFile journal(JournalFile.Disk disk, int segmentBytes) {
    return new JournalFile(directory(), GROUP, JournalRecord.KIND, disk, segmentBytes);
  }

  private List<DurableRecord> load() throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, JournalFile.SEGMENT_BYTES);
    List<DurableRecord> records = journal.load(true);
    journal.close();
    return records;
  }

  private static JournalRecord.Entered entered(long number) {
    return new JournalRecord.Entered(number, 7, 100 + number, 3);
  }

  private static JournalRecord.Part checkpoint(long number) {
    return new JournalRecord.Part(number, number, true, 7, 3, 100, 100, 0, List.of());
  }

  private void store(int records) throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, JournalFile.SEGMENT_BYTES);
    journal.load(true);
    for (int number = 1; number <= records; number++) {
      journal.append(List.of(entered(number)));
    }
    journal.close();
  }

  private Path onlyFile() throws IOException {
    return files().get(0);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.sorted().toList();
    }
  }

  /** Where numbers have digits of their own, the names of files do not. */
  @Test
  void aJournalIsReadAgainWhateverTheLanguage() throws Exception {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(new Locale("ar", "EG"));
      store(3);
      assertEquals(3, load().size());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void keepsRecordsInTheirOrder() throws IOException {
    store(3);
    JournalFile journal = journal(JournalFile.Disk.REAL, JournalFile.SEGMENT_BYTES);
    assertEquals(List.of(entered(1), entered(2), entered(3)), journal.load(true));
    journal.append(List.of(entered(4), checkpoint(5)));
    journal.close();
    assertEquals(List.of(entered(1), entered(2), entered(3), entered(4), checkpoint(5)), load());
  }

  @Test
  void fileThatEndsWithinItsLastRecordLosesThatRecordOnly() throws IOException {
    store(2);
    long whole = Files.size(onlyFile());
    store3(whole);
    byte[] bytes = Files.readAllBytes(onlyFile());
    for (int length = (int) whole; length < bytes.length - JournalForm.HEAD_BYTES; length++) {
      Files.write(onlyFile(), Arrays.copyOf(bytes, length));
      assertEquals(List.of(entered(1), entered(2)), load(), "cut at " + length);
      assertEquals(whole, Files.size(onlyFile()), "cut at " + length);
    }
  }

  private void store3(long from) throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, JournalFile.SEGMENT_BYTES);
    journal.load(true);
    journal.append(List.of(entered(3)));
    journal.close();
    assertTrue(Files.size(onlyFile()) > from);
  }

  private void assertDamaged(String what) throws IOException {
    List<Path> before = files();
    assertThrows(IOException.class, this::load, what);
    assertEquals(before, files(), what);
  }

  @Test
  void noFlippedBitIsTakenForARecordThatWasNeverSynced() throws IOException {
    store(2);
    byte[] bytes = Files.readAllBytes(onlyFile());
    Path file = onlyFile();
    int mark = bytes.length - JournalForm.HEAD_BYTES;
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(file, flipped);
      if (bit / 8 < Integer.BYTES) {
        assertEquals(List.of(entered(1), entered(2)), load(), "bit " + bit + " of the magic number, which the checksum shows");
      } else if (bit / 8 < mark) {
        assertDamaged("bit " + bit);
        assertArrayEquals(flipped, Files.readAllBytes(file), "bit " + bit);
      } else {
        assertEquals(List.of(entered(1), entered(2)), load(), "bit " + bit + " of the mark");
      }
    }
  }

  /** Nothing else shows whose it is, so it is not set aside: it may be another group's only one. */
  @Test
  void journalOfAnotherGroupIsReportedWithoutAMembershipRecord() throws IOException {
    store(1);
    GroupIdentity other = new GroupIdentity("shop", "primary-backup", List.of(new ReplicaId(1), new ReplicaId(2)));
    JournalFile journal = new JournalFile(directory(), other, JournalRecord.KIND);
    String sentence = assertThrows(IOException.class, () -> journal.load(false)).getMessage();
    assertTrue(sentence.contains("belongs to another group than " + other), sentence);
    assertEquals(List.of(entered(1)), load());
  }

  /** As a segment was written before heads named a synced record. */
  private static byte[] oldSegment(int records) {
    byte[] owner = GROUP.text().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(10_000).putInt(0x55534a31).putInt(owner.length).put(owner);
    for (int number = 1; number <= records; number++) {
      byte[] bytes = entered(number).encode();
      int at = out.position();
      out.putInt(bytes.length).putLong(number).putInt(JournalForm.checksum(out.array(), at, 12));
      out.put(bytes).putInt(JournalForm.checksum(bytes, 0, bytes.length));
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  @Test
  void journalOfTheOldFormIsContinuedInANewSegment() throws IOException {
    for (int zeros : new int[] {0, 7, 5_000}) {
      Path first = JournalContents.segment(Files.createDirectories(directory()), 1);
      byte[] old = oldSegment(2);
      Files.write(first, Arrays.copyOf(old, old.length + zeros));
      assertEquals(List.of(entered(1), entered(2)), load());
      store3(0);
      assertArrayEquals(old, Files.readAllBytes(first));
      assertEquals(List.of(entered(1), entered(2), entered(3)), load());
      Files.delete(files().get(1));
    }
  }

  @Test
  void wrongBytesBeforeARecordOfTheOldFormAreDamage() throws IOException {
    byte[] old = oldSegment(2);
    int records = old.length - oldSegment(0).length;
    for (int at = 0; at < old.length - records / 2; at++) {
      byte[] wrong = old.clone();
      wrong[at] ^= 64;
      Files.write(JournalContents.segment(Files.createDirectories(directory()), 1), wrong);
      assertDamaged("byte " + at);
    }
  }

  /** Nothing shows whether it was synced. */
  @Test
  void wrongLastRecordOfTheOldFormIsCut() throws IOException {
    byte[] old = oldSegment(2);
    old[old.length - 1] ^= 64;
    Files.write(JournalContents.segment(Files.createDirectories(directory()), 1), old);
    assertEquals(List.of(entered(1)), load());
  }

  @Test
  void journalOfANewerVersionIsRefused() throws IOException {
    store(1);
    byte[] bytes = Files.readAllBytes(onlyFile());
    bytes[3]++;
    // Its own checksum, or whatever follows the magic number there.
    bytes[8 + ByteBuffer.wrap(bytes).getInt(4)]++;
    Files.write(onlyFile(), bytes);
    String sentence = assertThrows(IOException.class, this::load).getMessage();
    assertTrue(sentence.contains("was written by a newer version"), sentence);
  }

  @Test
  void checkpointFreesTheSegmentsBeforeIt() throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, 1);
    journal.load(true);
    for (int number = 1; number <= 5; number++) {
      journal.append(List.of(entered(number)));
    }
    assertEquals(5, files().size());
    journal.append(List.of(checkpoint(6)));
    journal.append(List.of(entered(7)));
    journal.close();
    assertEquals(2, files().size());
    assertEquals(List.of(checkpoint(6), entered(7)), load());
  }

  @Test
  void missingSegmentIsDamage() throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, 1);
    journal.load(true);
    for (int number = 1; number <= 3; number++) {
      journal.append(List.of(entered(number)));
    }
    journal.close();
    Files.delete(files().get(1));
    assertDamaged("the second segment is missing");
  }

  @Test
  void missingBeginningIsDamage() throws IOException {
    JournalFile journal = journal(JournalFile.Disk.REAL, 1);
    journal.load(true);
    for (int number = 1; number <= 3; number++) {
      journal.append(List.of(entered(number)));
    }
    journal.close();
    Files.delete(files().get(0));
    assertDamaged("the first segment is missing");
  }

  @Test
  void acceptsNothingAfterAFailedSync() throws IOException {
    boolean[] fails = {false};
    JournalFile journal = journal(new JournalFile.Disk() {
      @Override
      public void sync(FileChannel file) throws IOException {
        if (fails[0]) {
          throw new IOException("Input/output error");
        }
      }
    }, JournalFile.SEGMENT_BYTES);
    journal.load(true);
    journal.append(List.of(entered(1)));
    fails[0] = true;
    assertThrows(IOException.class, () -> journal.append(List.of(entered(2))));
    fails[0] = false;
    assertThrows(IOException.class, () -> journal.append(List.of(entered(3))));
    journal.close();
  }

  @Test
  void acceptsNothingAfterTheDiskWasFull() throws IOException {
    List<Long> written = new ArrayList<>();
    JournalFile journal = journal(new JournalFile.Disk() {
      @Override
      public void write(FileChannel file, ByteBuffer bytes) throws IOException {
        written.add((long) bytes.remaining());
        // The header, the first record, its mark, the second record.
        if (written.size() == 4) {
          bytes.limit(bytes.position() + 5);
          file.write(bytes);
          throw new IOException("No space left on device");
        }
        file.write(bytes);
      }
    }, JournalFile.SEGMENT_BYTES);
    journal.load(true);
    journal.append(List.of(entered(1)));
    assertThrows(IOException.class, () -> journal.append(List.of(entered(2))));
    assertThrows(IOException.class, () -> journal.append(List.of(entered(2))));
    journal.close();
    assertEquals(List.of(entered(1)), load());
  }

  /** The JDK keeps for each thread a direct buffer as large as the largest of the heap that it has given to a channel. */
  @Test
  void largeRecordTakesNoMemoryOutsideTheHeapThatIsAsLarge() throws IOException {
    byte[] state = new byte[6 << 20];
    JournalFile journal = journal(JournalFile.Disk.REAL, JournalFile.SEGMENT_BYTES);
    journal.load(true);
    long before = DirectMemory.usedBytes();
    journal.append(
        List.of(new JournalRecord.Part(1, 1, true, 7, 3, 1, 1, 0, List.of(new Item.Resource("a", 0, state)))));
    journal.close();
    assertEquals(1, load().size());
    long grown = DirectMemory.usedBytes() - before;
    assertTrue(grown < 1 << 20, grown + " bytes");
  }

  @Test
  void replicaDoesNotStartWithAJournalWithoutItsMembershipRecord() throws IOException {
    store(1);
    try (RecordDirectory open =
        RecordDirectory.open(
            parent, GROUP, Set.of(JournalRecord.KIND, MembershipRecord.KIND))) {
      IOException refused = assertThrows(IOException.class, open::load);
      assertTrue(refused.getMessage().contains("has a journal, but no membership record"), refused.getMessage());
    }
  }
}
