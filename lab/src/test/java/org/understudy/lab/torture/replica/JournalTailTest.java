package org.understudy.lab.torture.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTailTest {
  private static final byte[] RECORDS = "the header, and records".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path journal;

  private static byte[] withMark(long number) {
    ByteBuffer file = ByteBuffer.allocate(RECORDS.length + 24).put(RECORDS).putInt(-1).putLong(number).putLong(number);
    CRC32C checksum = new CRC32C();
    checksum.update(file.array(), RECORDS.length, 20);
    return file.putInt((int) checksum.getValue()).array();
  }

  @Test
  void onlyTheLastMarkIsRemovedAndTheOlderSegmentStays() throws IOException {
    Set<String> kinds = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      Path older = Files.write(journal.resolve("0000000000000000001.log"), RECORDS);
      byte[] before = withMark(7);
      Path newest = Files.write(journal.resolve("0000000000000000005.log"), before);
      String done = JournalTail.leave(journal, new Random(seed));
      byte[] after = Files.readAllBytes(newest);
      int kept = done.endsWith("in place of its last mark") ? RECORDS.length : before.length;
      assertArrayEquals(Arrays.copyOf(before, kept), Arrays.copyOf(after, kept), done);
      assertEquals(Integer.parseInt(done.split(" ")[0]), after.length - kept, done);
      assertTrue(after.length > kept, done);
      assertArrayEquals(RECORDS, Files.readAllBytes(older));
      kinds.add(done.replaceFirst("[0-9]+ ", ""));
    }
    assertEquals(6, kinds.size(), kinds.toString());
  }

  @Test
  void whatOnlyLooksLikeAMarkStays() throws IOException {
    byte[] before = withMark(7);
    before[before.length - 10]++;
    for (int seed = 0; seed < 20; seed++) {
      Path newest = Files.write(journal.resolve("0000000000000000005.log"), before);
      JournalTail.leave(journal, new Random(seed));
      assertArrayEquals(before, Arrays.copyOf(Files.readAllBytes(newest), before.length));
    }
  }

  @Test
  void aReplicaWithoutAJournalIsLeftAlone() throws IOException {
    assertEquals("no journal", JournalTail.leave(journal, new Random(1)));
    assertEquals("no journal", JournalTail.leave(journal.resolve("missing"), new Random(1)));
  }
}
