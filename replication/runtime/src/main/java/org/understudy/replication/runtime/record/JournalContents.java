package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.understudy.replication.core.record.AppendedRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.runtime.record.SegmentReader.WrongBytesException;

/**
 * What the directory of a journal holds, as it is read from its first segment to its last one; reading changes nothing.
 *
 * <p>What a loss of power leaves is in the newest segment, behind all that was synced: half a record, zeros, or what the disk had there
 * before. So wrong bytes there are a <em>tail</em>, unless something shows that the record at their place was synced: a head behind them
 * that names it or a later one as synced, or in a segment of the old form a whole later record. Wrong bytes that were synced are
 * <em>damage</em>, and so is each gap: records that others rely on may be lost.
 */
final class JournalContents {
  private static final String SUFFIX = ".log";

  /**
   * Bytes at the end of the newest segment that count for nothing.
   *
   * @param at where they begin; 0 for the whole file
   */
  record Tail(Path file, long at, long bytes, String why) {}

  private final Path directory;
  private final RecordKind<?> kind;
  private final TreeMap<Long, Path> segments = new TreeMap<>();
  private final Map<Path, GroupIdentity> owners = new TreeMap<>();
  private final List<List<DurableRecord>> runs = new ArrayList<>();
  private List<DurableRecord> run = new ArrayList<>();
  private Tail tail;
  private String damage;

  private JournalContents(Path directory, RecordKind<?> kind) {
    this.directory = directory;
    this.kind = kind;
  }

  /** @throws IOException when the files cannot be read, or were written by a newer version */
  static JournalContents read(Path directory, RecordKind<?> kind) throws IOException {
    JournalContents contents = new JournalContents(directory, kind);
    contents.list();
    contents.read();
    contents.checkBeginning();
    return contents;
  }

  static Path segment(Path directory, long first) {
    return directory.resolve(String.format(Locale.ROOT, "%019d", first) + SUFFIX);
  }

  /** The segments by the number of their first record, in that order. */
  Map<Long, Path> segments() {
    return segments;
  }

  /** The groups that the segments name. */
  Map<Path, GroupIdentity> owners() {
    return owners;
  }

  /** The readable records; those of one list follow each other. One list, or none, if nothing is damaged. */
  List<List<DurableRecord>> runs() {
    return runs;
  }

  /** Null for none. */
  Tail tail() {
    return tail;
  }

  /** What is damaged first, as a sentence; null if nothing is. */
  String damage() {
    return damage;
  }

  private void list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[0-9]{19}\\" + SUFFIX)) {
          segments.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
        }
      }
    } catch (NotDirectoryException e) {
      throw new IOException("The journal " + directory + " is not a directory.", e);
    }
  }

  private void read() throws IOException {
    long next = 0;
    for (Map.Entry<Long, Path> segment : segments.entrySet()) {
      long first = segment.getKey();
      if (next != 0 && first != next) {
        damaged("Records from " + next + " to " + (first - 1) + " are missing.");
      }
      try (SegmentReader in = new SegmentReader(segment.getValue())) {
        next = read(in, segment.getValue(), first);
      }
    }
    endRun();
  }

  /** @return the number of the record that follows; 0 when it is not known */
  private long read(SegmentReader in, Path file, long first) throws IOException {
    long next = first;
    boolean begun = false;
    while (true) {
      try {
        if (!begun) {
          owners.put(file, in.owner());
          begun = true;
        }
        for (byte[] bytes = in.next(next); bytes != null; bytes = in.next(next)) {
          run.add(decode(bytes, next, file));
          next++;
        }
        return next;
      } catch (WrongBytesException e) {
        begun = true;
        Map.Entry<Long, Path> later = segments.higherEntry(first);
        String synced =
            later == null ? in.evidence(next) : later.getValue().getFileName() + " was begun after it had been synced";
        if (synced == null) {
          tail = new Tail(file, in.position(), in.size() - in.position(), e.getMessage());
          return next;
        }
        damaged(e.getMessage() + ", and " + synced + ".");
        next = in.resume(next);
        if (next == 0) {
          return 0;
        }
      }
    }
  }

  private void damaged(String what) {
    damage = damage == null ? what : damage;
    endRun();
  }

  private void endRun() {
    if (!run.isEmpty()) {
      runs.add(run);
      run = new ArrayList<>();
    }
  }

  private DurableRecord decode(byte[] bytes, long number, Path file) throws IOException {
    try {
      return kind.decode(bytes);
    } catch (RuntimeException e) {
      throw new IOException(
          "Record " + number + " of the journal " + file + " cannot be read by this version of Understudy (" + e.getMessage()
              + "). Start this replica with the version that wrote it.",
          e);
    }
  }

  /** The records must begin with the first or with a checkpoint: older segments go only when that is synced. */
  private void checkBeginning() {
    if (segments.isEmpty() || segments.firstKey() == 1 || damage != null) {
      return;
    }
    long from = 0;
    for (DurableRecord record : runs.isEmpty() ? List.<DurableRecord>of() : runs.get(0)) {
      from = Math.max(from, ((AppendedRecord) record).redundantBelow());
    }
    if (from < segments.firstKey()) {
      damaged("Records before " + segments.firstKey() + " are missing.");
    }
  }
}
