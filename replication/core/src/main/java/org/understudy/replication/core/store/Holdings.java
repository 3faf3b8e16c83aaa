package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * The resources that a joiner holds. Every key has a stable update as of which the joiner has its resource, or its absence;
 * a donor sends what changed later.
 *
 * @param number distinguishes this answer from the joiner's earlier ones, from 1; 0 in {@link #NOTHING}
 * @param epoch the oldest of the views in which the resources were received
 * @param ranges cover all keys in ascending order; empty when nothing is held
 * @param lacking keys that the joiner does not have, although its ranges contain them
 */
public record Holdings(long number, long epoch, List<Range> ranges, List<String> lacking) {
  public static final Holdings NOTHING = new Holdings(0, 0, List.of(), List.of());

  /**
   * A range of keys, from the end of the range before it.
   *
   * @param last the last key; null for all further keys
   * @param asOf the update as of which the resources are held; 0 for none
   */
  public record Range(String last, long asOf) {
    private static final int LEAST_BYTES = 1 + Long.BYTES;
  }

  public Holdings {
    ranges = List.copyOf(ranges);
    lacking = List.copyOf(lacking);
  }

  /** Whether some resources are held. */
  public boolean isAny() {
    return ranges.stream().anyMatch(range -> range.asOf() > 0);
  }

  /** The oldest update as of which a range is held; {@link Long#MAX_VALUE} when none is. */
  public long oldest() {
    return ranges.stream().mapToLong(Range::asOf).filter(asOf -> asOf > 0).min().orElse(Long.MAX_VALUE);
  }

  /** Answers for keys in ascending order. */
  public Cursor cursor() {
    return new Cursor();
  }

  /** A position in the ranges. */
  public final class Cursor {
    private final Set<String> missing = new TreeSet<>(lacking);
    private int place;

    private Cursor() {}

    /**
     * Whether the joiner holds this key as of its last change.
     *
     * @param key not lower than the one before
     * @param version of the last change
     */
    public boolean has(String key, long version) {
      while (place < ranges.size() && ranges.get(place).last() != null && ranges.get(place).last().compareTo(key) < 0) {
        place++;
      }
      return place < ranges.size() && version <= ranges.get(place).asOf() && !missing.contains(key);
    }
  }

  public void write(WireWriter out) {
    out.i64(number);
    out.i64(epoch);
    out.i32(ranges.size());
    for (Range range : ranges) {
      out.bool(range.last() != null);
      if (range.last() != null) {
        out.string(range.last());
      }
      out.i64(range.asOf());
    }
    out.i32(lacking.size());
    lacking.forEach(out::string);
  }

  public static Holdings read(WireReader in) {
    long number = in.position();
    long epoch = in.position();
    int count = in.count(Range.LEAST_BYTES);
    List<Range> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(new Range(in.bool() ? in.string() : null, in.position()));
    }
    int missing = in.count(Integer.BYTES);
    List<String> lacking = new ArrayList<>(missing);
    for (int i = 0; i < missing; i++) {
      lacking.add(in.string());
    }
    return new Holdings(number, epoch, ranges, lacking);
  }

  /** An upper bound of the encoded size. */
  public long encodedBytes() {
    long bytes = EncodedSize.FIXED_BYTES;
    for (Range range : ranges) {
      bytes += Range.LEAST_BYTES + Integer.BYTES + (range.last() == null ? 0 : EncodedSize.of(range.last()));
    }
    for (String key : lacking) {
      bytes += Integer.BYTES + EncodedSize.of(key);
    }
    return bytes;
  }
}
