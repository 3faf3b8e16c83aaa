package org.understudy.replication.runtime.record;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads one segment of a journal, of any length, through a small window. Not thread-safe. */
final class SegmentReader implements Closeable {
  private static final int WINDOW_BYTES = 64 << 10;
  /** A head that names a later record is not one. */
  private static final long MAX_AHEAD = 1L << 32;

  /** What is wrong with the bytes at a place. */
  static final class WrongBytesException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongBytesException(String what) {
      super(what);
    }
  }

  /** @param synced the last record that was synced when this one was written; 0 if it is not known */
  private record Head(int length, long number, long synced) {}

  private final Path file;
  private final FileChannel channel;
  private final long size;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowAt;
  private final JournalForm.Header header;
  private int form;
  private long position;

  SegmentReader(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.size = channel.size();
    load(0, (int) Math.min(size, JournalForm.MAX_HEADER_BYTES));
    this.header = JournalForm.readHeader(window.duplicate());
    this.form = header.form();
    this.position = header.bytes();
    if (header.isNewer()) {
      channel.close();
      throw new NewerVersionException(
          "The journal " + file + " was written by a newer version of Understudy, which this one cannot read. Start this replica with"
              + " that version again.");
    }
  }

  /** The segment cannot be read by this version, whatever is done. */
  static final class NewerVersionException extends IOException {
    private static final long serialVersionUID = 1L;

    NewerVersionException(String what) {
      super(what);
    }
  }

  long size() {
    return size;
  }

  /** Where the next record begins; 0 before the header. */
  long position() {
    return position;
  }

  /** The form of the segment; that of this version if the header is wrong. */
  int form() {
    return header.form();
  }

  /** @throws WrongBytesException when the header cannot be read */
  GroupIdentity owner() throws WrongBytesException {
    if (header.owner() == null) {
      throw new WrongBytesException("Its file " + file.getFileName() + " does not begin like a journal");
    }
    return header.owner();
  }

  /** Reads the record with this number, which is the next one; returns null at the end of the segment. */
  byte[] next(long number) throws IOException, WrongBytesException {
    while (position < size) {
      Head head = head(position, number - 1);
      boolean mark = head != null && head.length == JournalForm.MARK;
      if (head == null || head.number != (mark ? number - 1 : number)) {
        throw wrong("head", number);
      }
      if (mark) {
        position += JournalForm.headBytes(form);
        continue;
      }
      byte[] bytes = content(position, head);
      if (bytes == null) {
        throw wrong("checksum", number);
      }
      position += JournalForm.headBytes(form) + (long) bytes.length + JournalForm.CHECKSUM_BYTES;
      return bytes;
    }
    return null;
  }

  private WrongBytesException wrong(String part, long number) {
    return new WrongBytesException(
        "The " + part + " of record " + number + " in " + file.getFileName() + " at byte " + position + " is wrong");
  }

  /**
   * Looks behind the present place for what was written after the record with this number had been synced.
   *
   * @return what shows that, as the end of a sentence; null when nothing does
   */
  String evidence(long number) throws IOException {
    // What the header says is not relied on: one wrong digit of it makes it another form's.
    for (int tried = JournalForm.OLD; tried <= JournalForm.CURRENT; tried++) {
      form = tried;
      for (long at = position; at < size; at++) {
        Head head = head(at, number);
        if (head == null) {
          continue;
        }
        if (head.synced >= number) {
          return "what follows it was written after record " + head.synced + " had been synced";
        }
        if (form == JournalForm.OLD && content(at, head) != null) {
          return "record " + head.number + " follows it";
        }
      }
    }
    return null;
  }

  /** Moves to the next whole record from this number on; returns its number, or 0 when there is none. */
  long resume(long least) throws IOException {
    for (int tried = JournalForm.OLD; tried <= JournalForm.CURRENT; tried++) {
      form = tried;
      for (long at = position; at < size; at++) {
        Head head = head(at, least);
        if (head != null && content(at, head) != null) {
          position = at;
          return head.number;
        }
      }
    }
    position = size;
    return 0;
  }

  /** The head of a record or a mark; null when the bytes are none, or one of a record before this one. */
  private Head head(long at, long least) throws IOException {
    int bytes = JournalForm.headBytes(form);
    if (!load(at, bytes)) {
      return null;
    }
    int in = (int) (at - windowAt);
    int length = window.getInt(in);
    long number = window.getLong(in + Integer.BYTES);
    if (number < least || number - least > MAX_AHEAD || length < JournalForm.MARK || length > JournalForm.MAX_RECORD_BYTES) {
      return null;
    }
    int checked = bytes - JournalForm.CHECKSUM_BYTES;
    if (window.getInt(in + checked) != JournalForm.checksum(window.array(), in, checked)) {
      return null;
    }
    return new Head(length, number, form == JournalForm.OLD ? 0 : window.getLong(in + Integer.BYTES + Long.BYTES));
  }

  /** The bytes of the record with this head; null when they are wrong, or the segment ends before. */
  private byte[] content(long at, Head head) throws IOException {
    long begin = at + JournalForm.headBytes(form);
    if (head.length < 0 || head.length + (long) JournalForm.CHECKSUM_BYTES > size - begin) {
      return null;
    }
    byte[] bytes = new byte[head.length];
    for (int done = 0; done < bytes.length;) {
      int slice = Math.min(WINDOW_BYTES, bytes.length - done);
      load(begin + done, slice);
      window.get((int) (begin + done - windowAt), bytes, done, slice);
      done += slice;
    }
    load(begin + bytes.length, JournalForm.CHECKSUM_BYTES);
    boolean right = window.getInt((int) (begin + bytes.length - windowAt)) == JournalForm.checksum(bytes, 0, bytes.length);
    return right ? bytes : null;
  }

  /** Brings these bytes into the window; returns false when the segment ends before. */
  private boolean load(long at, int bytes) throws IOException {
    if (bytes > size - at) {
      return false;
    }
    if (at >= windowAt && at + bytes <= windowAt + window.limit()) {
      return true;
    }
    window.clear().limit((int) Math.min(WINDOW_BYTES, size - at));
    windowAt = at;
    while (window.hasRemaining()) {
      if (channel.read(window, at + window.position()) < 0) {
        throw new IOException("The file " + file + " became shorter while it was read.");
      }
    }
    window.flip();
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
