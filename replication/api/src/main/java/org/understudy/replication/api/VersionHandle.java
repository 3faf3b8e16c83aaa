package org.understudy.replication.api;

/**
 * The highest version of the group's state that a client has seen: the index of a stable update and the epoch in which
 * the client learnt of it. Written {@code epoch.index}. (Bartoli et al. 2005 call it a service handle.)
 *
 * @param epoch 0 to 2^48
 * @param index 0 to 2^48: 0 for the initial state, then one more with every update of the group
 */
public record VersionHandle(long epoch, long index) implements Comparable<VersionHandle> {
  /** The state before any update. */
  public static final VersionHandle INITIAL = new VersionHandle(0, 0);

  /** No epoch and no index is above this. */
  public static final long MAX = 1L << 48;

  public VersionHandle {
    if (epoch < 0 || index < 0 || epoch > MAX || index > MAX) {
      throw new IllegalArgumentException("The parts of a version handle are from 0 to " + MAX + ".");
    }
  }

  /**
   * Reads {@code epoch.index}.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static VersionHandle parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 1 || text.length() > 40) {
      throw new IllegalArgumentException("A version handle is written epoch.index.");
    }
    try {
      return new VersionHandle(Long.parseLong(text, 0, dot, 10), Long.parseLong(text, dot + 1, text.length(), 10));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("A version handle is written epoch.index.", e);
    }
  }

  /** Orders by index: updates keep their index over view changes, so the index alone tells which state is newer. */
  @Override
  public int compareTo(VersionHandle other) {
    return Long.compare(index, other.index);
  }

  @Override
  public String toString() {
    return epoch + "." + index;
  }
}
