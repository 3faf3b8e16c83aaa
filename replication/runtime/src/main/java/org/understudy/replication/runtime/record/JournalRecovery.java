package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.understudy.replication.api.View;
import org.understudy.replication.core.journal.JournalExtent;
import org.understudy.replication.core.journal.JournalRecord;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.AppendedRecord;
import org.understudy.replication.core.record.DurableRecord;

/**
 * Shows an operator what is readable of a replica's journal, keeps a part of it, or sets it aside. The replica is stopped: its
 * directory is locked meanwhile. Nothing is ever deleted: what is replaced is moved to a directory {@code journal.damaged}, with a
 * number behind the name if there are some already.
 */
public final class JournalRecovery implements AutoCloseable {
  private static final int BATCH = 200;
  private static final String SET_ASIDE =
      "set-aside      If another replica has its journal or runs: it brings this one up to date. Nothing is lost.\n";

  private final Path directory;
  private final Path journal;
  private final FileChannel lock;
  /** Null if this version cannot read them. */
  private final JournalContents contents;
  private final String unreadable;
  /** Null if no segment can be read. */
  private final GroupIdentity group;
  private final View base;

  private JournalRecovery(Path directory, FileChannel lock) throws IOException {
    this.directory = directory;
    this.lock = lock;
    this.journal = directory.resolve(JournalRecord.KIND.name());
    if (!Files.isDirectory(journal)) {
      throw new IOException(
          Files.isDirectory(kept())
              ? "The replica was about to continue from " + kept() + ": rename it to " + journal + "."
              : "The directory " + directory + " has no journal. Give understudy.directory of a replica that keeps one.");
    }
    JournalContents found = null;
    String why = null;
    try {
      found = JournalContents.read(journal, JournalRecord.KIND);
    } catch (SegmentReader.NewerVersionException e) {
      why = e.getMessage();
    }
    contents = found;
    unreadable = why;
    group = found == null ? null : found.owners().values().stream().findFirst().orElse(null);
    base = group == null ? View.NONE : base();
  }

  private Path kept() {
    return directory.resolve(journal.getFileName() + ".kept");
  }

  private View base() throws IOException {
    DurableRecord record = new RecordFile(directory, group, MembershipRecord.KIND).load();
    return record instanceof MembershipRecord membership ? membership.base() : View.NONE;
  }

  /**
   * Reads the journal.
   *
   * @param directory {@code understudy.directory} of a replica that is stopped
   * @throws IOException when the replica runs, or the files cannot be read
   */
  public static JournalRecovery open(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException("There is no directory " + directory + ".");
    }
    FileChannel lock = RecordDirectory.lock(directory);
    try {
      return new JournalRecovery(directory, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Describes what is readable, and what an operator can do. Changes nothing. */
  public String report() throws IOException {
    StringBuilder out = new StringBuilder("Journal " + journal + (group == null ? "" : " of the " + group)).append('\n');
    if (contents == null) {
      return out.append(unreadable).append('\n').append(SET_ASIDE).toString();
    }
    for (Map.Entry<Long, Path> segment : contents.segments().entrySet()) {
      out.append("  ").append(segment.getValue().getFileName()).append("  ").append(Files.size(segment.getValue())).append(" bytes\n");
    }
    if (base.epoch() > 0) {
      out.append("The replica was last in view ").append(base.epoch()).append(" with the members ").append(base.members()).append(".\n");
    }
    for (List<JournalRecord> run : runs()) {
      out.append("Readable: records ").append(number(run, 0)).append(" to ").append(lastOf(run)).append(", ").append(described(run))
          .append('\n');
    }
    JournalContents.Tail tail = contents.tail();
    if (tail != null) {
      out.append(tail.bytes()).append(" bytes at the end were never synced, as far as anything shows: the next start cuts them.\n");
    }
    if (contents.damage() != null) {
      return out.append("Damaged: ").append(contents.damage()).append('\n').append(choices()).toString();
    }
    return out.append(endsEarly()
        ? "Nothing shows damage, but the journal ends before view " + base.epoch() + ". Start the replica first: it joins if another one"
            + " has the state. If none has:\n" + choices()
        : "Nothing is damaged.\n").toString();
  }

  /** Whether the replica was in a later view than its journal, so that it has no state when it starts. */
  private boolean endsEarly() {
    List<List<JournalRecord>> runs = runs();
    JournalExtent extent = runs.isEmpty() ? null : JournalExtent.of(runs.get(runs.size() - 1));
    return extent != null && extent.epoch() < base.epoch();
  }

  private List<List<JournalRecord>> runs() {
    List<List<JournalRecord>> runs = new ArrayList<>();
    for (List<DurableRecord> run : contents.runs()) {
      runs.add(run.stream().map(JournalRecord.class::cast).toList());
    }
    return runs;
  }

  private static long number(List<JournalRecord> run, int at) {
    return run.get(at).number();
  }

  private static long lastOf(List<JournalRecord> run) {
    return number(run, run.size() - 1);
  }

  private static String described(List<JournalRecord> run) {
    JournalExtent extent = JournalExtent.of(run);
    return extent == null
        ? "which hold no whole state"
        : "which hold the state of view " + extent.epoch() + " up to update " + extent.end();
  }

  private String choices() {
    StringBuilder out = new StringBuilder(SET_ASIDE);
    for (List<JournalRecord> run : runs()) {
      JournalExtent extent = JournalExtent.of(run);
      if (extent != null) {
        out.append("keep ").append(lastOf(run)).append(extent.epoch() < base.epoch() ? " view=" + base.epoch() : "")
            .append("   Only if no other replica has its state: the group continues from update ").append(extent.end())
            .append(", and what was acknowledged after it is lost.").append(" Do this at one replica, the one that has most.\n");
      }
    }
    return out.toString();
  }

  /**
   * Keeps the readable part that ends with this record, as the whole journal, and sets the rest aside.
   *
   * @param last as the report names it
   * @param view the view that the replica was last in, if the part ends before that: declares that no other replica has its state. 0
   *     otherwise
   * @return what was done
   * @throws IOException when there is no such part, or it cannot be written; the journal is as before
   */
  public String keep(long last, long view) throws IOException {
    if (contents == null) {
      throw new IOException(unreadable);
    }
    List<JournalRecord> run =
        runs().stream().filter(one -> lastOf(one) == last).findFirst()
            .orElseThrow(() -> new IOException("No readable part ends with record " + last + "."));
    JournalExtent extent = JournalExtent.of(run);
    if (contents.damage() == null && !endsEarly()) {
      throw new IOException("Nothing is damaged: start the replica.");
    }
    if (extent == null) {
      throw new IOException("The records up to " + last + " hold no whole state.");
    }
    String self = RecordDirectory.owner(directory);
    if (base.members().stream().noneMatch(member -> Integer.toString(member.number()).equals(self))) {
      throw new IOException(
          "This replica was not a member of the last view that it knows, so its journal does not count. Set it aside: another replica"
              + " brings this one up to date.");
    }
    boolean older = extent.epoch() < base.epoch();
    if (view != (older ? base.epoch() : 0)) {
      throw new IOException(
          older
              ? "The part ends in view " + extent.epoch() + ", and the replica was in view " + base.epoch() + ". Add view=" + base.epoch()
                  + " only if no replica has the state of that view."
              : "The part goes up to the last view. Leave out view=" + view + ".");
    }
    List<JournalRecord> kept = new ArrayList<>(run.subList((int) (extent.first() - number(run, 0)), run.size()));
    if (older) {
      kept.add(new JournalRecord.Entered(last + 1, base.epoch(), extent.end(), extent.wire()));
    }
    Path fresh = kept();
    write(fresh, kept);
    Path aside = moveAside();
    Files.move(fresh, journal, StandardCopyOption.ATOMIC_MOVE);
    JournalFile.syncDirectory(directory);
    return "The journal has the records " + extent.first() + " to " + last + " now: the state up to update " + extent.end()
        + ". The damaged journal is in " + aside + ". Start the replica.";
  }

  private void write(Path fresh, List<JournalRecord> records) throws IOException {
    if (Files.exists(fresh)) {
      // A copy that was not finished.
      setAside(fresh);
    }
    JournalFile file = new JournalFile(fresh, group, JournalRecord.KIND);
    try {
      file.beginAt(((AppendedRecord) records.get(0)).number());
      for (int at = 0; at < records.size(); at += BATCH) {
        file.append(records.subList(at, Math.min(records.size(), at + BATCH)));
      }
    } finally {
      file.close();
    }
  }

  /**
   * Moves the journal away: the replica has no state when it starts, until another one brings it up to date.
   *
   * @return what was done
   */
  public String setAside() throws IOException {
    return "The journal is in " + moveAside() + ". Start the replica: another one brings it up to date.";
  }

  private Path moveAside() throws IOException {
    Path aside = setAside(journal);
    JournalFile.syncDirectory(directory);
    return aside;
  }

  /** Moves a journal, or a part of one, to a directory beside it that does not exist so far. */
  static Path setAside(Path what) throws IOException {
    String name = JournalRecord.KIND.name() + ".damaged";
    Path aside =
        Stream.iterate(1, number -> number + 1).map(number -> what.resolveSibling(number == 1 ? name : name + "-" + number))
            .filter(Files::notExists).findFirst().orElseThrow();
    return Files.move(what, aside, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
