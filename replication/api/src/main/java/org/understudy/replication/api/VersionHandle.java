package org.understudy.replication.api;

import java.util.regex.Pattern;

/**
 * How far a client has seen one order of updates. Written {@code epoch.position} for the group's own order, and
 * {@code scope:epoch.position} for any other. (Bartoli et al. 2005 call it a service handle.)
 *
 * <p>Handles of one scope are ordered by epoch, then by position. Handles of two scopes have no order: nothing compares
 * them.
 *
 * @param scope names the order: {@link #GROUP}, or 1 to 64 letters, digits, dots, hyphens and underscores. A strategy with
 *     a total order has one scope, the group
 * @param epoch 0 to 2^48: of the view in which a replica returned this handle
 * @param position 0 to 2^48: 0 for the initial state; with a total order, the number of updates delivered
 */
public record VersionHandle(String scope, long epoch, long position) {
  /** The scope of a strategy that orders all updates of the group. */
  public static final String GROUP = "group";

  /** The group's state before any update. */
  public static final VersionHandle INITIAL = ofGroup(0, 0);

  /** No epoch and no position is above this. */
  public static final long MAX = 1L << 48;

  private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int MAX_TEXT = 64 + 1 + 40;

  /**
   * Checks every part.
   *
   * @throws IllegalArgumentException when one is out of its range
   */
  public VersionHandle {
    if (!GROUP.equals(scope) && !SCOPE.matcher(scope).matches()) {
      throw new IllegalArgumentException(
          "The scope of a version handle has 1 to 64 letters, digits, dots, hyphens and underscores.");
    }
    if (epoch < 0 || position < 0 || epoch > MAX || position > MAX) {
      throw new IllegalArgumentException("Epoch and position of a version handle are from 0 to " + MAX + ".");
    }
  }

  /** A handle of the group's own order. */
  public static VersionHandle ofGroup(long epoch, long position) {
    return new VersionHandle(GROUP, epoch, position);
  }

  /**
   * Reads what {@link #toString()} writes.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static VersionHandle parse(String text) {
    int colon = text.indexOf(':');
    int dot = text.lastIndexOf('.');
    if (dot < colon + 2 || dot == text.length() - 1 || text.length() > MAX_TEXT) {
      throw new IllegalArgumentException("A version handle must have the form epoch.position or scope:epoch.position.");
    }
    String scope = colon < 0 ? GROUP : text.substring(0, colon);
    return new VersionHandle(scope, number(text, colon + 1, dot), number(text, dot + 1, text.length()));
  }

  private static long number(String text, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9 || number > MAX) {
        throw new IllegalArgumentException("Epoch and position of a version handle are from 0 to " + MAX + ", in digits.");
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /**
   * Whether this handle shows more of the same order: a later epoch, or the same epoch and a higher position. A group that
   * began anew counts its positions from 0, in a later epoch.
   *
   * @throws IllegalArgumentException when the other one is of another scope
   */
  public boolean isAfter(VersionHandle other) {
    if (!scope.equals(other.scope)) {
      throw new IllegalArgumentException("Version handles of the scopes " + scope + " and " + other.scope
          + " cannot be compared.");
    }
    return epoch > other.epoch || epoch == other.epoch && position > other.position;
  }

  public boolean isOfGroup() {
    return scope.equals(GROUP);
  }

  @Override
  public String toString() {
    return isOfGroup() ? epoch + "." + position : scope + ":" + epoch + "." + position;
  }
}
