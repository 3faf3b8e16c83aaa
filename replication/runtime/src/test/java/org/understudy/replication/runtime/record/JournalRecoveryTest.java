package org.understudy.replication.runtime.record;

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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.journal.JournalRecord;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.DurableRecord;

/** What an operator can do with the journal of a stopped replica. */
class JournalRecoveryTest {
  private static final ReplicaId SELF = new ReplicaId(1);
  private static final List<ReplicaId> MEMBERS = List.of(SELF, new ReplicaId(2), new ReplicaId(3));
  private static final GroupIdentity GROUP = new GroupIdentity("shop", "primary-backup", MEMBERS);

  @TempDir Path directory;
  private Path segment;
  private byte[] whole;

  private RecordDirectory open() throws IOException {
    RecordDirectory records = RecordDirectory.open(directory, GROUP, Set.of(JournalRecord.KIND, MembershipRecord.KIND));
    records.claim(SELF);
    return records;
  }

  /** The views 1 to 9, each with a record of its own; the replica was last in view 9. */
  @BeforeEach
  void nineViews() throws IOException {
    try (RecordDirectory records = open()) {
      for (int number = 1; number <= 9; number++) {
        records.store(List.of(entered(number)));
      }
      View last = new View(9, MEMBERS);
      records.store(List.of(new MembershipRecord(9, SELF, last, last, true)));
    }
    segment = JournalContents.segment(directory.resolve("journal"), 1);
    whole = Files.readAllBytes(segment);
  }

  private static JournalRecord.Entered entered(long number) {
    return new JournalRecord.Entered(number, number, 0, 3);
  }

  private static List<JournalRecord.Entered> entered(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(JournalRecoveryTest::entered).toList();
  }

  private void damage() throws IOException {
    byte[] damaged = whole.clone();
    Arrays.fill(damaged, whole.length / 2, whole.length / 2 + 20, (byte) 0);
    Files.write(segment, damaged);
  }

  private List<DurableRecord> load() throws IOException {
    JournalFile journal = new JournalFile(directory.resolve("journal"), GROUP, JournalRecord.KIND);
    try {
      return journal.load(true);
    } finally {
      journal.close();
    }
  }

  private String run(String... words) throws IOException {
    return JournalCommand.run(directory, List.of(words));
  }

  private List<String> directories() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isDirectory).map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void reportNamesWhatIsReadableAndChangesNothing() throws IOException {
    damage();
    byte[] before = Files.readAllBytes(segment);
    String report = run();
    for (String expected : List.of(
        "of the group \"shop\" of the replicas [1, 2, 3]", "The replica was last in view 9 with the members [1, 2, 3].",
        "Readable: records 1 to 4, which hold the state of view 4 up to update 0", "to 9, which hold no whole state", "Damaged: The",
        "set-aside", "keep 4 view=9 ")) {
      assertTrue(report.contains(expected), report);
    }
    assertEquals(List.of("journal"), directories());
    assertEquals(Arrays.toString(before), Arrays.toString(Files.readAllBytes(segment)));
  }

  @Test
  void keptPartIsTheJournalAndTheOldOneStays() throws IOException {
    damage();
    byte[] damaged = Files.readAllBytes(segment);
    String done = run("keep", "4", "view=9");
    assertTrue(done.contains("journal.damaged"), done);
    assertEquals(List.of(entered(1), entered(2), entered(3), entered(4), new JournalRecord.Entered(5, 9, 0, 3)), load());
    assertEquals(
        Arrays.toString(damaged),
        Arrays.toString(Files.readAllBytes(directory.resolve("journal.damaged").resolve(segment.getFileName()))));
  }

  @Test
  void nothingIsKeptWithoutTheRightWords() throws IOException {
    damage();
    for (String[] words : new String[][] {
        {"keep", "4"}, {"keep", "4", "view=8"}, {"keep", "3", "view=9"}, {"keep", "9"}, {"keep"}, {"keep", "4", "view=9", "now"},
        {"remove"}}) {
      assertThrows(IOException.class, () -> run(words), String.join(" ", words));
      assertEquals(List.of("journal"), directories(), String.join(" ", words));
    }
  }

  @Test
  void wholeJournalIsNotReplaced() throws IOException {
    assertTrue(run().contains("Nothing is damaged."), run());
    assertThrows(IOException.class, () -> run("keep", "9"));
    assertEquals(entered(1, 9), load());
  }

  @Test
  void aWrongByteInTheMagicNumberMakesNoOtherForm() throws IOException {
    for (int value = 0; value < 256; value++) {
      byte[] damaged = whole.clone();
      damaged[3] = (byte) value;
      Files.write(segment, damaged);
      assertEquals(entered(1, 9), load());
    }
  }

  @Test
  void wrongBytesInTheHeaderAreDamage() throws IOException {
    for (int at = 4; at < 12; at++) {
      for (int digit = '1'; digit <= (at < 8 ? '2' : '1'); digit++) {
        byte[] damaged = whole.clone();
        damaged[3] = (byte) (at < 8 ? digit : '2');
        damaged[at] ^= 1;
        Files.write(segment, damaged);
        String refused = assertThrows(IOException.class, this::load).getMessage();
        assertTrue(refused.contains("is damaged"), refused);
        assertTrue(run().contains("Readable: records 1 to 9"), run());
      }
    }
  }

  @Test
  void theJournalOfANewerVersionCanBeSetAside() throws IOException {
    Files.write(segment, new byte[] {'U', 'S', 'J', '3', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    assertTrue(run().contains("newer version") && run().contains("set-aside"), run());
    assertThrows(IOException.class, () -> run("keep", "1"));
    run("set-aside");
    assertEquals(List.of("journal.damaged"), directories());
  }

  @Test
  void whatIsLeftOfAJournalThatWasCutCanBeKept() throws IOException {
    Files.write(segment, Arrays.copyOf(whole, whole.length / 2));
    assertEquals(entered(1, 4), load());
    String report = run();
    assertTrue(report.contains("ends before view 9") && report.contains("keep 4 view=9 "), report);
    assertThrows(IOException.class, () -> run("keep", "4"));
    run("keep", "4", "view=9");
    assertEquals(5, load().size());
  }

  @Test
  void aJournalWithoutAReadableRecordIsSetAside() throws IOException {
    byte[] zeros = new byte[whole.length];
    System.arraycopy(whole, 0, zeros, 0, 10);
    Files.write(segment, zeros);
    assertEquals(List.of(), load());
    assertEquals(List.of("journal.damaged"), directories());
  }

  @Test
  void nothingThatWasSetAsideIsDeleted() throws IOException {
    for (int time = 1; time <= 3; time++) {
      Files.createDirectories(directory.resolve("journal"));
      Files.write(segment, new byte[time]);
      run("set-aside");
    }
    assertEquals(List.of("journal.damaged", "journal.damaged-2", "journal.damaged-3"), directories());
    for (int time = 1; time <= 3; time++) {
      Path aside = directory.resolve("journal.damaged" + (time == 1 ? "" : "-" + time));
      assertEquals(time, Files.size(aside.resolve(segment.getFileName())));
    }
  }

  @Test
  void runningReplicaIsLeftAlone() throws IOException {
    damage();
    RecordDirectory running = open();
    try {
      String refused = assertThrows(IOException.class, () -> run("set-aside")).getMessage();
      assertTrue(refused.contains("belongs to a running replica"), refused);
    } finally {
      running.close();
    }
    assertFalse(directories().contains("journal.damaged"));
  }
}
