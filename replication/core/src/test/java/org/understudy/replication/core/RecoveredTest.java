package org.understudy.replication.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.record.Recovered;

/** The records a replica starts with: records that replace each other, and a journal with snapshots. */
class RecoveredTest {
  private record Entry(int index) implements DurableRecord {
    static final RecordKind<Entry> KIND = new RecordKind<>("journal", Entry.class, bytes -> new Entry(bytes[0]));

    @Override
    public RecordKind<?> kind() {
      return KIND;
    }

    @Override
    public byte[] encode() {
      return new byte[] {(byte) index};
    }

    @Override
    public boolean supersedes(DurableRecord earlier) {
      return false;
    }
  }

  private record Snapshot(int index) implements DurableRecord {
    static final RecordKind<Snapshot> KIND =
        new RecordKind<>("snapshot", Snapshot.class, bytes -> new Snapshot(bytes[0]));

    @Override
    public RecordKind<?> kind() {
      return KIND;
    }

    @Override
    public byte[] encode() {
      return new byte[] {(byte) index};
    }

    @Override
    public boolean supersedes(DurableRecord earlier) {
      return earlier instanceof Snapshot || (earlier instanceof Entry entry && entry.index <= index);
    }
  }

  @Test
  void firstStartRecoversNothing() {
    assertEquals(Optional.empty(), Recovered.NOTHING.newest(Snapshot.KIND));
    assertEquals(List.of(), Recovered.NOTHING.all(Entry.KIND));
  }

  @Test
  void snapshotSupersedesTheJournalBeforeIt() {
    Recovered recovered = Recovered.NOTHING.with(new Snapshot(0));
    for (int index = 1; index <= 4; index++) {
      recovered = recovered.with(new Entry(index));
    }
    assertEquals(4, recovered.all(Entry.KIND).size());
    recovered = recovered.with(new Snapshot(3));
    assertEquals(List.of(new Snapshot(3)), recovered.all(Snapshot.KIND));
    assertEquals(List.of(new Entry(4)), recovered.all(Entry.KIND));
  }
}
