package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.RecordKind;

/** A damaged record is never loaded, not even in part: a promise could be lost, and two primaries elected. */
class DamagedRecordTest {
  private static final Set<RecordKind<?>> KINDS = Set.of(MembershipRecord.KIND);
  private static final View ACCEPTED = new View(8, List.of(new ReplicaId(2)));
  private static final View BASE = new View(7, List.of(new ReplicaId(2), new ReplicaId(1)));
  private static final MembershipRecord RECORD = new MembershipRecord(9, new ReplicaId(3), ACCEPTED, BASE, true);

  @TempDir Path directory;
  private Path file;
  private byte[] whole;
  private final GroupIdentity group = identity("shop", 1, 2, 3);

  /** The strategy under which the record is stored. */
  String strategy() {
    return "primary-backup";
  }

  private GroupIdentity identity(String name, int... numbers) {
    return new GroupIdentity(name, strategy(), Arrays.stream(numbers).mapToObj(ReplicaId::new).toList());
  }

  @BeforeEach
  void store() throws IOException {
    file = directory.resolve("membership");
    try (RecordDirectory open = RecordDirectory.open(directory, group, KINDS)) {
      open.store(List.of(RECORD));
    }
    whole = Files.readAllBytes(file);
  }

  private MembershipRecord load() throws IOException {
    try (RecordDirectory open = RecordDirectory.open(directory, group, KINDS)) {
      return MembershipRecord.of(open.load());
    }
  }

  /** The error message for these bytes. The file stays on disk for inspection. */
  private String refusal(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    String sentence = assertThrows(IOException.class, this::load, () -> Arrays.toString(bytes)).getMessage();
    assertTrue(sentence.contains(file.toString()), sentence);
    assertArrayEquals(bytes, Files.readAllBytes(file), "a refused record is not touched");
    return sentence;
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    for (int length = 0; length < whole.length; length++) {
      String sentence = refusal(Arrays.copyOf(whole, length));
      assertTrue(sentence.contains("is damaged"), length + " bytes: " + sentence);
    }
  }

  @Test
  void everyFlippedBitIsRefused() throws IOException {
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      refusal(flipped);
    }
  }

  @Test
  void everyOverwrittenByteIsRefused() throws IOException {
    for (int at = 0; at < whole.length; at++) {
      for (int value : new int[] {0, 0x31, 0xff}) {
        byte[] overwritten = whole.clone();
        overwritten[at] = (byte) value;
        if (!Arrays.equals(overwritten, whole)) {
          refusal(overwritten);
        }
      }
    }
  }

  @Test
  void trailingBytesAreRefused() throws IOException {
    assertTrue(refusal(Arrays.copyOf(whole, whole.length + 1)).contains("is damaged"));
    assertTrue(refusal(Arrays.copyOf(whole, 5_000)).contains("is damaged"));
  }

  /** Removing it would lose a promise that the newer version stored. */
  @Test
  void newerVersionIsReportedAsSuch() throws IOException {
    byte[] newer = whole.clone();
    newer[3] = '4';
    String sentence = refusal(newer);
    assertTrue(sentence.contains("newer version"), sentence);
    assertFalse(sentence.contains("remove the file"), sentence);
  }

  @Test
  void recordOfAnotherGroupIsReportedAsSuch() throws IOException {
    GroupIdentity other = identity("shop", 1, 2, 3, 4);
    try (RecordDirectory open = RecordDirectory.open(directory, other, KINDS)) {
      String sentence = assertThrows(IOException.class, open::load).getMessage();
      assertTrue(sentence.contains("belongs to " + group) && sentence.contains("configured for " + other), sentence);
      assertFalse(sentence.contains("damaged"), sentence);
    }
    assertEquals(RECORD, load(), "the right group still has it");
  }

  @Test
  void interruptedStoreKeepsTheOldRecord() throws IOException {
    Files.write(directory.resolve("membership.new"), Arrays.copyOf(whole, 10));
    assertEquals(RECORD, load());
    MembershipRecord next = new MembershipRecord(10, null, ACCEPTED, BASE, false);
    try (RecordDirectory open = RecordDirectory.open(directory, group, KINDS)) {
      open.store(List.of(next));
    }
    assertEquals(next, load());
    assertFalse(Files.exists(directory.resolve("membership.new")));
  }

  @Test
  void theLargestGroupWithTheLongestNameFits() throws IOException {
    List<ReplicaId> all = IntStream.rangeClosed(1, ReplicaId.MAX).mapToObj(ReplicaId::new).toList();
    GroupIdentity largest = new GroupIdentity("\u20ac".repeat(500), strategy(), all);
    View view = new View(Long.MAX_VALUE, all);
    MembershipRecord record = new MembershipRecord(Long.MAX_VALUE, new ReplicaId(ReplicaId.MAX), view, view, true);
    Files.delete(file);
    try (RecordDirectory open = RecordDirectory.open(directory, largest, KINDS)) {
      open.store(List.of(record));
      assertEquals(record, MembershipRecord.of(open.load()));
    }
  }

  @Test
  void directoryIsLockedByOneReplica() throws IOException {
    try (RecordDirectory open = RecordDirectory.open(directory, group, KINDS)) {
      String sentence = assertThrows(IOException.class, this::load).getMessage();
      assertTrue(sentence.contains("belongs to a running replica"), sentence);
      assertEquals(RECORD, MembershipRecord.of(open.load()), "the one that has it keeps it");
    }
    assertEquals(RECORD, load(), "and gives it back");
  }
}
