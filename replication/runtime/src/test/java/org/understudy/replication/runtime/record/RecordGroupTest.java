package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.RecordKind;

class RecordGroupTest {
  private static final Set<RecordKind<?>> KINDS = Set.of(MembershipRecord.KIND);
  private static final GroupIdentity GROUP = group("shop", 1, 2, 3);
  private static final View VIEW = new View(7, List.of(new ReplicaId(2), new ReplicaId(1)));
  private static final MembershipRecord RECORD = new MembershipRecord(9, new ReplicaId(3), VIEW, VIEW, true);

  @TempDir Path directory;

  private static GroupIdentity group(String name, int... numbers) {
    return of("primary-backup", name, numbers);
  }

  private static GroupIdentity of(String strategy, String name, int... numbers) {
    return new GroupIdentity(name, strategy, java.util.Arrays.stream(numbers).mapToObj(ReplicaId::new).toList());
  }

  private MembershipRecord load(GroupIdentity group) throws IOException {
    try (RecordDirectory file = RecordDirectory.open(directory, group, KINDS)) {
      return MembershipRecord.of(file.load());
    }
  }

  private void store() throws IOException {
    store(GROUP);
  }

  private void store(GroupIdentity group) throws IOException {
    try (RecordDirectory file = RecordDirectory.open(directory, group, KINDS)) {
      file.store(List.of(RECORD));
    }
  }

  @Test
  void loadsStoredRecords() throws IOException {
    assertEquals(MembershipRecord.FIRST_START, load(GROUP));
    store();
    assertEquals(RECORD, load(GROUP));
  }

  @Test
  void refusesRecordsOfOtherGroupsOrReplicas() throws IOException {
    store();
    for (GroupIdentity other : List.of(group("warehouse", 1, 2, 3), group("shop", 1), group("shop", 1, 2, 4))) {
      String sentence = assertThrows(IOException.class, () -> load(other)).getMessage();
      assertTrue(sentence.contains(GROUP.toString()) && sentence.contains(other.toString()), sentence);
    }
  }

  /** A promise made under one strategy means nothing to another. */
  @Test
  void refusesRecordsOfOtherStrategies() throws IOException {
    GroupIdentity grouped = of("group", "shop", 1, 2, 3);
    store();
    assertEquals(
        "The membership record " + directory.resolve("membership") + " was stored under the strategy primary-backup, but this"
            + " replica is configured for the strategy group. Set understudy.strategy to primary-backup again. Or, to start the"
            + " whole group anew without its state, stop all replicas and remove understudy.directory of each.",
        assertThrows(IOException.class, () -> load(grouped)).getMessage());
    Files.delete(directory.resolve("membership"));
    store(grouped);
    assertEquals(RECORD, load(grouped));
    String sentence = assertThrows(IOException.class, () -> load(GROUP)).getMessage();
    assertTrue(sentence.contains("Set understudy.strategy to group again"), sentence);
  }

  @Test
  void readsARecordWithoutGroup() throws IOException {
    ByteBuffer out = ByteBuffer.allocate(100);
    out.putInt(0x55534d31).putLong(9).put((byte) 3).put((byte) 1);
    out.putLong(7).put((byte) 2).put((byte) 2).put((byte) 1);
    out.putLong(7).put((byte) 2).put((byte) 2).put((byte) 1);
    CRC32C checksum = new CRC32C();
    checksum.update(out.array(), 0, out.position());
    out.putLong(checksum.getValue());
    Files.write(directory.resolve("membership"), java.util.Arrays.copyOf(out.array(), out.position()));
    assertEquals(RECORD, load(GROUP));
  }

  /** In-place upgrade: the old record is read, and the new one has the bytes that the old version reads. */
  @Test
  void readsAndWritesTheBytesOfVersion02() throws IOException {
    ByteBuffer out = ByteBuffer.allocate(100);
    out.putInt(0x55534d32).putShort((short) 4).put("shop".getBytes(StandardCharsets.UTF_8));
    out.put((byte) 3).put((byte) 1).put((byte) 2).put((byte) 3);
    out.putLong(9).put((byte) 3).put((byte) 1);
    out.putLong(7).put((byte) 2).put((byte) 2).put((byte) 1);
    out.putLong(7).put((byte) 2).put((byte) 2).put((byte) 1);
    CRC32C checksum = new CRC32C();
    checksum.update(out.array(), 0, out.position());
    out.putLong(checksum.getValue());
    byte[] before = java.util.Arrays.copyOf(out.array(), out.position());
    Files.write(directory.resolve("membership"), before);
    assertEquals(RECORD, load(GROUP));
    store();
    assertArrayEquals(before, Files.readAllBytes(directory.resolve("membership")));
  }

  @Test
  void refusesADamagedRecord() throws IOException {
    store();
    Path file = directory.resolve("membership");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertTrue(assertThrows(IOException.class, () -> load(GROUP)).getMessage().contains("damaged"));
  }
}
