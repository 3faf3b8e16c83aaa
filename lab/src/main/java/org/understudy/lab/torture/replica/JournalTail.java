package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Leaves at the end of a replica's journal what a loss of power may leave there: zeros, garbage or old blocks behind the last record.
 * Whether a record was synced cannot be seen in the file, because its mark is written later. So no record is removed. A mark at the end
 * need not be on disk, because nothing waits for it: it is removed now and then. docs/design/journal.md describes the form.
 */
final class JournalTail {
  private static final int MAX_BYTES = 100_000;
  private static final int MARK = -1;
  private static final int CHECKED_BYTES = Integer.BYTES + 2 * Long.BYTES;
  private static final int MARK_BYTES = CHECKED_BYTES + Integer.BYTES;

  private JournalTail() {}

  private enum Kind { ZEROS, GARBAGE, OLD_BLOCKS }

  /**
   * Changes the newest segment.
   *
   * @param journal the folder of a replica that is stopped
   * @return what was done, for people
   */
  static String leave(Path journal, Random random) throws IOException {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    boolean dropMark = random.nextBoolean();
    int bytes = (int) Math.pow(MAX_BYTES, random.nextDouble());
    List<Path> segments = segments(journal);
    if (segments.isEmpty()) {
      return "no journal";
    }
    try (RandomAccessFile file = new RandomAccessFile(segments.get(segments.size() - 1).toFile(), "rw")) {
      String done = "";
      if (dropMark && endsWithMark(file)) {
        file.setLength(file.length() - MARK_BYTES);
        done = " in place of its last mark";
      }
      byte[] tail = tail(kind, bytes, file, random);
      file.seek(file.length());
      file.write(tail);
      return tail.length + " bytes of " + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + done;
    }
  }

  private static List<Path> segments(Path journal) throws IOException {
    if (!Files.isDirectory(journal)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(journal)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted(Comparator.comparing(Path::getFileName)).toList();
    }
  }

  /** What the disk had there before is a part of the same file: whole records whose numbers do not fit. */
  private static byte[] tail(Kind kind, int bytes, RandomAccessFile file, Random random) throws IOException {
    byte[] tail = new byte[kind == Kind.OLD_BLOCKS ? (int) Math.min(bytes, file.length()) : bytes];
    if (kind == Kind.GARBAGE) {
      random.nextBytes(tail);
    } else if (kind == Kind.OLD_BLOCKS) {
      file.seek((long) (random.nextDouble() * (file.length() - tail.length)));
      file.readFully(tail);
    }
    return tail;
  }

  private static boolean endsWithMark(RandomAccessFile file) throws IOException {
    if (file.length() < MARK_BYTES) {
      return false;
    }
    byte[] end = new byte[MARK_BYTES];
    file.seek(file.length() - MARK_BYTES);
    file.readFully(end);
    CRC32C checksum = new CRC32C();
    checksum.update(end, 0, CHECKED_BYTES);
    ByteBuffer mark = ByteBuffer.wrap(end);
    return mark.getInt(0) == MARK && mark.getInt(CHECKED_BYTES) == (int) checksum.getValue();
  }
}
