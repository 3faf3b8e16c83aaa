package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.record.Recovered;

/** A directory keeps the records of any strategy, each kind in a file of its own. */
class RecordKindsTest {
  private static final GroupIdentity GROUP =
      new GroupIdentity("shop", "primary-backup", List.of(new ReplicaId(1), new ReplicaId(2)));
  private static final MembershipRecord MEMBERSHIP = new MembershipRecord(9, null, View.NONE, View.NONE, true);
  private static final Set<RecordKind<?>> KINDS = Set.of(MembershipRecord.KIND, Accepted.KIND);

  /** What an acceptor of Paxos keeps of one instance; a higher ballot supersedes it. */
  private record Accepted(long instance, long ballot) implements DurableRecord {
    static final RecordKind<Accepted> KIND = new RecordKind<>("accepted", Accepted.class, Accepted::decode);

    static Accepted decode(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      return new Accepted(in.getLong(), in.getLong());
    }

    @Override
    public RecordKind<?> kind() {
      return KIND;
    }

    @Override
    public byte[] encode() {
      return ByteBuffer.allocate(16).putLong(instance).putLong(ballot).array();
    }

    @Override
    public boolean supersedes(DurableRecord earlier) {
      return earlier instanceof Accepted other && other.instance == instance && other.ballot <= ballot;
    }
  }

  @TempDir Path directory;

  private RecordDirectory open(Set<RecordKind<?>> kinds) throws IOException {
    return RecordDirectory.open(directory, GROUP, kinds);
  }

  @Test
  void eachKindLoadsItsLastRecord() throws IOException {
    try (RecordDirectory records = open(KINDS)) {
      assertEquals(Optional.empty(), records.load().newest(Accepted.KIND));
      records.store(List.of(new Accepted(4, 1), MEMBERSHIP, new Accepted(4, 2)));
    }
    try (RecordDirectory records = open(KINDS)) {
      Recovered recovered = records.load();
      assertEquals(MEMBERSHIP, MembershipRecord.of(recovered));
      assertEquals(List.of(new Accepted(4, 2)), recovered.all(Accepted.KIND));
      records.store(List.of(new Accepted(4, 3)));
      assertEquals(Optional.of(new Accepted(4, 3)), records.load().newest(Accepted.KIND));
    }
  }

  @Test
  void recordOfAnUndeclaredKindIsRefused() throws IOException {
    try (RecordDirectory records = open(Set.of(MembershipRecord.KIND))) {
      String sentence =
          assertThrows(IOException.class, () -> records.store(List.of(new Accepted(4, 1)))).getMessage();
      assertTrue(sentence.contains("no records of the kind accepted"), sentence);
      assertFalse(Files.exists(directory.resolve("accepted")));
    }
  }

  /** The store fails instead of dropping a record that the strategy still needs. */
  @Test
  void recordThatDoesNotSupersedeIsRefused() throws IOException {
    try (RecordDirectory records = open(KINDS)) {
      records.store(List.of(new Accepted(4, 1)));
      assertThrows(IOException.class, () -> records.store(List.of(new Accepted(5, 1))));
      assertEquals(List.of(new Accepted(4, 1)), records.load().all(Accepted.KIND));
    }
    try (RecordDirectory records = open(KINDS)) {
      records.load();
      assertThrows(IOException.class, () -> records.store(List.of(new Accepted(5, 1))), "after a restart too");
    }
  }

  @Test
  void kindNamesAreValidFileNames() {
    assertThrows(
        IllegalArgumentException.class, () -> new RecordKind<>("../lock", Accepted.class, Accepted::decode));
  }
}
