package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

/** What a journal's files hold after a restart: all that was synced, or nothing. */
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
    for (int length = (int) whole; length < bytes.length; length++) {
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

  @Test
  void noFlippedBitIsTakenForARecordThatWasNeverSynced() throws IOException {
    store(2);
    byte[] bytes = Files.readAllBytes(onlyFile());
    Path file = onlyFile();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.createDirectories(directory());
      Files.write(file, flipped);
      assertEquals(List.of(), load(), "bit " + bit);
      assertFalse(Files.exists(file), "bit " + bit);
      assertTrue(Files.exists(parent.resolve("journal.damaged").resolve(file.getFileName())), "bit " + bit);
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
    assertEquals(List.of(), load());
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
    assertEquals(List.of(), load());
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
        if (written.size() == 3) {
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
